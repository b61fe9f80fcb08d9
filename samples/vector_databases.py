"""Loads a library's export into a vector database, and asks for the images most like the first.

    bowhist export photos.bow -o points.qdrant.jsonl     pip install qdrant-client
    bowhist export photos.bow -o points.milvus.jsonl     pip install pymilvus milvus-lite
    samples/vector_databases.py FILE [ADDRESS]

ADDRESS is a server, http://localhost:6333 or http://localhost:19530; without it the data lies in memory, or in m.db.
"""
import itertools
import json
import sys


def batches(path, size=256):
    with open(path, encoding="utf-8") as lines:
        while batch := [json.loads(line) for line in itertools.islice(lines, size)]:
            yield batch


def load_qdrant(path, address=":memory:", name="images"):
    from qdrant_client import QdrantClient, models
    client = QdrantClient(address)
    client.create_collection(name, {"code": models.VectorParams(size=128, distance=models.Distance.COSINE)},
                             sparse_vectors_config={"words": models.SparseVectorParams()})
    for batch in batches(path):
        client.upsert(name, [models.PointStruct(**point) for point in batch])
    return client


def load_milvus(path, address="m.db", name="images"):
    from pymilvus import DataType, MilvusClient
    client = MilvusClient(address)
    schema = client.create_schema()
    schema.add_field("id", DataType.VARCHAR, is_primary=True, max_length=36)
    schema.add_field("image", DataType.VARCHAR, max_length=4096)
    schema.add_field("code", DataType.FLOAT_VECTOR, dim=128)
    schema.add_field("words", DataType.SPARSE_FLOAT_VECTOR)
    indexes = client.prepare_index_params()
    indexes.add_index("code", index_type="FLAT", metric_type="COSINE")
    indexes.add_index("words", index_type="SPARSE_INVERTED_INDEX", metric_type="IP")
    client.create_collection(name, schema=schema, index_params=indexes)
    for batch in batches(path):
        client.upsert(name, batch)
    return client


if __name__ == "__main__":
    path, *address = sys.argv[1:]
    first = next(batches(path))[0]
    if path.endswith(".qdrant.jsonl"):
        found = load_qdrant(path, *address).query_points("images", query=first["vector"]["code"], using="code", limit=5)
        for point in found.points:
            print(f"{point.score:.3f} {point.payload['image']}")
    else:
        found = load_milvus(path, *address).search("images", data=[first["code"]], anns_field="code", limit=5, output_fields=["image"])
        for row in found[0]:
            print(f"{row['distance']:.3f} {row['entity']['image']}")
