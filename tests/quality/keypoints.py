#!/usr/bin/env python3
"""How well keypoints and their descriptors survive a change of view and light: one protocol for all extractors.

    tests/quality/keypoints.py --data FOLDER [--most 500,1000] [--apart 3] [--near 6] [--wall OUT.png]
                              ["surf --threshold 1" chance ...]

Each argument is an extractor with its options; "dlib" (its SURF) is a peer's (cmake --build build/ci --target
peer_extract), "chance" draws points and descriptors, and "hessian" has points alone: maxima of the determinant of
Gaussian second derivatives, four scales an octave, all at full resolution, what fast Hessians approximate. Thresholds
are low, so that all yield more than --most keypoints.
Pairs of pictures:
  synthetic  --pictures JPEGs below FOLDER of at least 640 pixels a side, evenly spaced by name, grey, shrunk to 800;
             of each --views random homographies, drawn from --seed: centre to centre, any rotation, scale 0.5 … 2
             (evenly in its logarithm), a horizon of up to 0.25 across half the width and half the height; then blur of
             sigma 0 … 1.5 pixels, gamma 2^-0.7 … 2^0.7, noise of sigma 0 … 6 grey values. The canvas keeps its size.
  aside      the same pictures, as many views, seen from aside: turned by 30 … 50 degrees around a random axis in the
             picture, the eye 1.2 times the larger side away, scale 0.9 … 1.15; then blur, gamma and noise as before
  graf       graf1 and graf3 with their homography H1to3p, a wall seen from aside
  wall       the same without the wall's foot, which stands out, so that the homography misses by 6 pixels there, and
             without a car that hides part of A. Only pixels count that the homography leads to the same thing in B:
             optical flow from A to B, drawn over A, is shorter than 2 of A's pixels. --wall draws A, all else darkened
  box        box and box_in_scene, a flat thing among others; the homography is estimated: OpenCV's SIFT and RANSAC
leuvenA and leuvenB are missing: they show a street from two places. It has depth, so no homography maps one to the other
(one fits 116 of 345 of SIFT's matches, epipolar lines fit 214), and no truth to compare with.
Only keypoints count that lie in both pictures, 20 pixels from their edges; of these the --most strongest in A and as many
in B, but no more than one for 150 pixels of B there: more would meet by chance. With --apart N a keypoint that lies less
than N pixels from a stronger one is left out: some extractors report one place at several scales. Distances are in
pixels of B. Means over the pairs, medians in brackets:
  repeated   share of A's keypoints that have one of B within 3 pixels (--near)
  one to one share that are nearest to each other, as near, and within a factor of 1.5 in scale
  precision  share of the matches (nearest descriptor in L2, nearer than 0.8 times the next) that are as near
  recall     such correct matches by A's keypoints
Needs Debian's python3-numpy, python3-opencv and opencv-doc.
"""
import argparse
import pathlib
import re
import shlex
import subprocess
import tempfile

import cv2
import numpy

SAMPLES = pathlib.Path("/usr/share/doc/opencv-doc/examples/data")
PEERS = {"dlib"}
MARGIN = 20
DEFAULTS = ["surf --threshold 1", "dlib --threshold 0.1", "akaze --threshold 0.00003", "kaze --threshold 0.00003",
            "sift --threshold 0.005", "chance"]


def read_grey(path, most=800):
    picture = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)
    if picture is None or max(picture.shape) <= most:
        return picture
    shrink = most / max(picture.shape)
    return cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)


def photographs(folder, count):
    paths = sorted(path for path in folder.rglob("*") if path.suffix.lower() in {".jpg", ".jpeg"})
    large = [picture for picture in map(read_grey, paths) if picture is not None and max(picture.shape) >= 640]
    return [large[i * len(large) // count] for i in range(min(count, len(large)))]


def random_homography(random, height, width):
    angle, scale = random.uniform(0, 2 * numpy.pi), 2 ** random.uniform(-1, 1)
    cosine, sine = scale * numpy.cos(angle), scale * numpy.sin(angle)
    turn = numpy.array([[cosine, -sine, 0], [sine, cosine, 0], [0, 0, 1]])
    tilt = numpy.eye(3)
    tilt[2, :2] = random.uniform(-0.25, 0.25, 2) / (width / 2, height / 2)
    centre = numpy.array([[1, 0, (width - 1) / 2], [0, 1, (height - 1) / 2], [0, 0, 1]])
    return centre @ tilt @ turn @ numpy.linalg.inv(centre)


def homography_from_aside(random, height, width):
    away, scale = 1.2 * max(height, width), random.uniform(0.9, 1.15)
    axis, angle = random.uniform(0, 2 * numpy.pi), numpy.deg2rad(random.uniform(30, 50))
    turn, _ = cv2.Rodrigues(angle * numpy.array([numpy.cos(axis), numpy.sin(axis), 0]))
    plane = numpy.diag([away, away, 1]) @ turn
    plane[:, 2] = 0, 0, away  # from the eye to its middle
    centre = numpy.array([[1, 0, (width - 1) / 2], [0, 1, (height - 1) / 2], [0, 0, 1]])
    return centre @ numpy.diag([scale, scale, 1]) @ plane @ numpy.linalg.inv(centre)


def random_view(random, picture, draw_homography):
    """The picture seen otherwise, and the homography to there."""
    height, width = picture.shape
    homography = draw_homography(random, height, width)
    twice = numpy.array([[2, 0, 0.5], [0, 2, 0.5], [0, 0, 1]])  # drawn at twice the size, against aliasing
    view = cv2.warpPerspective(picture, twice @ homography, (2 * width, 2 * height), flags=cv2.INTER_CUBIC)
    view = cv2.resize(view, (width, height), interpolation=cv2.INTER_AREA)
    view = cv2.GaussianBlur(view, None, random.uniform(0.01, 1.5)) / 255.0
    view = 255 * view ** 2 ** random.uniform(-0.7, 0.7) + random.normal(0, random.uniform(0, 6), view.shape)
    return view.round().clip(0, 255).astype(numpy.uint8), homography


def estimated_homography(a, b):
    (points, rows), (points_b, rows_b) = (cv2.SIFT_create().detectAndCompute(picture, None) for picture in (a, b))
    pairs = [pair for pair, other in cv2.BFMatcher().knnMatch(rows, rows_b, k=2) if pair.distance < 0.8 * other.distance]
    from_a = numpy.float64([points[pair.queryIdx].pt for pair in pairs])
    to_b = numpy.float64([points_b[pair.trainIdx].pt for pair in pairs])
    homography, kept = cv2.findHomography(from_a, to_b, cv2.RANSAC, 2.0, maxIters=20_000)
    errors = numpy.linalg.norm(project(homography, from_a) - to_b, axis=1)[kept.ravel() == 1]
    print(f"box: homography from {len(errors)} of {len(pairs)} matches, {numpy.median(errors):.2f} pixels apart")
    return homography


def homography_holds(a, b, homography, most=2.0):
    """Of each pixel of A, whether the homography leads to the same thing in B."""
    over_a = cv2.warpPerspective(b, numpy.linalg.inv(homography), a.shape[::-1])
    flow = cv2.DISOpticalFlow_create(cv2.DISOPTICAL_FLOW_PRESET_MEDIUM).calc(a, over_a, None)
    return numpy.hypot(*cv2.split(flow)) < most


def pairs_of(options):
    """Pictures by name, and (set, name of A, name of B, homography, where in A it holds, or None: everywhere)."""
    pictures, pairs = {}, []
    for i, picture in enumerate(photographs(options.data, options.pictures)):
        pictures[f"{i}"] = picture
        for view in range(options.views):
            for kind, draw in (("synthetic", random_homography), ("aside", homography_from_aside)):
                random = numpy.random.default_rng([options.seed, i, view])
                pictures[f"{i}-{view}-{kind}"], homography = random_view(random, picture, draw)
                pairs.append((kind, f"{i}", f"{i}-{view}-{kind}", homography, None))
    for name in ("graf1.png", "graf3.png", "box.png", "box_in_scene.png"):
        pictures[name[:-4]] = read_grey(SAMPLES / name)
    numbers = re.search("<data>(.*)</data>", (SAMPLES / "H1to3p.xml").read_text(), re.S)[1].split()
    homography = numpy.array(numbers, float).reshape(3, 3)
    pairs.append(("graf", "graf1", "graf3", homography, None))
    wall = homography_holds(pictures["graf1"], pictures["graf3"], homography)
    pairs.append(("wall", "graf1", "graf3", homography, wall))
    if options.wall:
        cv2.imwrite(str(options.wall), numpy.where(wall, pictures["graf1"], pictures["graf1"] // 4))
    homography = estimated_homography(pictures["box"], pictures["box_in_scene"])
    pairs.append(("box", "box", "box_in_scene", homography, None))
    return pictures, pairs


def gaussian_hessian(picture, first=2.0, per_octave=4, scales=14):
    """Keypoints of maxima among the 26 neighbours, refined by a quadratic."""
    grey, responses = picture.astype(numpy.float32), []
    for i in range(-1, scales + 1):
        sigma = first * 2 ** (i / per_octave)
        smooth = cv2.GaussianBlur(grey, None, numpy.sqrt(sigma**2 - 0.25))  # a pixel is a blur of its own
        xx, yy, xy = (cv2.Sobel(smooth, cv2.CV_32F, *order, ksize=1) for order in ((2, 0), (0, 2), (1, 1)))
        responses.append((xx * yy - (xy / 4) ** 2) * sigma**4)
    responses = numpy.array(responses)
    around = numpy.array([cv2.dilate(response, numpy.ones((3, 3))) for response in responses])
    middle, highest = responses[1:-1], numpy.maximum.reduce([around[:-2], around[1:-1], around[2:]])
    is_peak = (middle > 0.01) & (middle >= highest)
    is_peak[:, [0, -1]] = is_peak[:, :, [0, -1]] = False
    found = []
    for scale, y, x in numpy.argwhere(is_peak):
        v = responses[scale : scale + 3, y - 1 : y + 2, x - 1 : x + 2].astype(float)
        slope = numpy.array([axis[1, 1, 1] for axis in numpy.gradient(v)])
        bend = numpy.array([[axis[1, 1, 1] for axis in numpy.gradient(row)] for row in numpy.gradient(v)])
        for axis, line in enumerate((v[:, 1, 1], v[1, :, 1], v[1, 1, :])):
            bend[axis, axis] = line[0] - 2 * line[1] + line[2]
        offset = -numpy.linalg.lstsq(bend, slope, rcond=None)[0]
        if numpy.abs(offset).max() <= 1:
            found.append((x + offset[2], y + offset[1], first * 2 ** ((scale + offset[0]) / per_octave), 0, v[1, 1, 1]))
    return numpy.array(found)


def distinct(found, apart):
    """The strongest first; none less than `apart` pixels from another."""
    keypoints, descriptors = found
    kept, cells = [], {}
    for i in numpy.argsort(-keypoints[:, 4], kind="stable"):
        point = keypoints[i, :2]
        column, row = (point // apart).astype(int)
        near = (j for x in (-1, 0, 1) for y in (-1, 0, 1) for j in cells.get((column + x, row + y), ()))
        if all(((keypoints[j, :2] - point) ** 2).sum() >= apart**2 for j in near):
            kept.append(i)
            cells.setdefault((column, row), []).append(i)
    return keypoints[kept], descriptors[kept]


def extract(options, extractor, picture, scratch):
    """Keypoints (x, y, scale, orientation, response) and descriptors."""
    if extractor == "chance":
        random = numpy.random.default_rng(picture[::7, ::7].ravel())
        return random.uniform((0, 0, 1, 0, 0), (*picture.shape[::-1], 4, 1, 1), (20_000, 5)), random.random((20_000, 64))
    if extractor == "hessian":
        keypoints = gaussian_hessian(picture)
        return keypoints, numpy.random.default_rng(1).random((len(keypoints), 64))
    file, out = scratch / "picture.pgm", scratch / "found.npz"
    cv2.imwrite(str(file), picture)
    words = shlex.split(extractor) + ["--max-side", "0"]
    if words[0] in PEERS:
        command = [f"{options.build}/bin/peer_extract", out, file, *words]
    else:
        command = [f"{options.build}/bin/bowhist", "extract", "-q", "-o", out, "--extractor", *words, file]
    subprocess.run(command, check=True)
    table = numpy.load(out)
    return table["keypoints"].astype(float), table["descriptors"]


def project(homography, points):
    there = numpy.column_stack([points, numpy.ones(len(points))]) @ homography.T
    return there[:, :2] / there[:, 2:]


def magnification(homography, points):
    """The root of the Jacobian's determinant."""
    w = numpy.column_stack([points, numpy.ones(len(points))]) @ homography[2]
    return numpy.sqrt(numpy.abs(numpy.linalg.det(homography) / w**3))


def inside(points, shape):
    return ((points >= MARGIN) & (points < numpy.array(shape[::-1]) - MARGIN)).all(axis=1)


def strongest(found, counts, most):
    keypoints, descriptors = found[0][counts], found[1][counts]
    order = numpy.argsort(-keypoints[:, 4], kind="stable")[:most]
    return keypoints[order], descriptors[order]


def distances(a, b):
    squares = (a**2).sum(axis=1)[:, None] + (b**2).sum(axis=1) - 2 * a @ b.T
    return numpy.sqrt(squares.clip(0))


def compare(found_a, found_b, shape_a, shape_b, homography, holds, most, near):
    holds = numpy.ones(shape_a, bool) if holds is None else holds
    most = min(most, int(cv2.warpPerspective(holds.astype(float), homography, shape_b[::-1]).sum() / 150))

    def common(in_a, in_b):
        counts = inside(in_a, shape_a) & inside(in_b, shape_b)
        counts[counts] = holds[tuple(in_a[counts].round().astype(int).T[::-1])]
        return counts

    points_a, points_b = found_a[0][:, :2], found_b[0][:, :2]
    a, rows_a = strongest(found_a, common(points_a, project(homography, points_a)), most)
    b, rows_b = strongest(found_b, common(project(numpy.linalg.inv(homography), points_b), points_b), most)
    if len(a) == 0 or len(b) < 2:
        return len(a), 0, 0, 0, 0
    apart = distances(project(homography, a[:, :2]), b[:, :2])
    index, nearest = numpy.arange(len(a)), apart.argmin(axis=1)
    ratio = b[nearest, 2] / (a[:, 2] * magnification(homography, a[:, :2]))
    mutual = (apart.argmin(axis=0)[nearest] == index) & (numpy.abs(numpy.log(ratio)) <= numpy.log(1.5))
    unlike = distances(rows_a.astype(float), rows_b.astype(float))
    match, (first, second) = unlike.argmin(axis=1), numpy.partition(unlike, 1, axis=1)[:, :2].T
    matched = first < 0.8 * second
    correct = (matched & (apart[index, match] <= near)).sum()
    repeated = apart[index, nearest] <= near
    return len(a), repeated.mean(), (repeated & mutual).mean(), correct / max(1, matched.sum()), correct / len(a)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True, type=pathlib.Path)
    parser.add_argument("--build", default="build/ci")
    parser.add_argument("--most", default="500,1000")
    parser.add_argument("--pictures", type=int, default=12)
    parser.add_argument("--views", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--apart", type=float, default=0)
    parser.add_argument("--near", type=float, default=3)
    parser.add_argument("--wall", type=pathlib.Path)
    parser.add_argument("extractors", nargs="*", default=DEFAULTS)
    options = parser.parse_args()
    pictures, pairs = pairs_of(options)
    print(f"{'':26} {'most':>4} {'set':9} pairs keypoints  repeated       one to one     precision      recall")
    for extractor in options.extractors:
        with tempfile.TemporaryDirectory() as scratch:
            found = {name: extract(options, extractor, picture, pathlib.Path(scratch)) for name, picture in pictures.items()}
        if options.apart > 0:
            found = {name: distinct(one, options.apart) for name, one in found.items()}
        for most in map(int, options.most.split(",")):
            for kind in dict.fromkeys(pair[0] for pair in pairs):
                rows = numpy.array([compare(found[a], found[b], pictures[a].shape, pictures[b].shape, homography, holds,
                                            most, options.near)
                                    for name, a, b, homography, holds in pairs if name == kind])
                means, medians = rows.mean(axis=0), numpy.median(rows, axis=0)
                print(f"{extractor:26} {most:4} {kind:9} {len(rows):5} {means[0]:9.0f}  " +
                      "  ".join(f"{mean:.3f} ({median:.3f})" for mean, median in zip(means[1:], medians[1:])), flush=True)


if __name__ == "__main__":
    main()
