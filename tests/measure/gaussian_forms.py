"""How well float32 carries the recursive Gaussian, in four forms that are one filter on paper.

Each form runs a pixel of 1 down a line, and a line of ones, in float32 with fused multiply-adds; poles and
coefficients are rounded to float32, then the gain is normalised with the rounded poles where the form allows it.
Printed: how far both halves together are from the same filter in float64 (sum of absolute differences), and how far
a constant line is from its value in the end.
"""
import numpy as np

F = np.float32
RATES = (complex(-1.783, 0.6318), complex(-1.723, 1.997))
AMPLITUDES = (complex(1.68, -3.735), complex(-0.6803, 0.2598))


def fma(a, b, c):
    return F(np.float64(a) * np.float64(b) + np.float64(c))


def poles(sigma):
    return [np.exp(rate / sigma) for rate in RATES]


def second_order(sigma):
    """Numerator (b0, b1) and denominator (1, a1, a2) of each wave as a real section."""
    return [(np.array([a.real, -(a * p.conjugate()).real]), np.array([1, -2 * p.real, abs(p) ** 2]))
            for a, p in zip(AMPLITUDES, poles(sigma))]


def whole(sigma):
    """Both waves as one fraction of fourth order."""
    (n0, d0), (n1, d1) = second_order(sigma)
    return np.convolve(n0, d1) + np.convolve(n1, d0), np.convolve(d0, d1)


def recursion(numerator, denominator, line):
    """y[n] = sum b x[n-k] - sum a y[n-k], every coefficient and state a float32."""
    b, a = F(numerator), F(denominator)
    x, y, out = [F(0)] * len(b), [F(0)] * (len(a) - 1), []
    for pixel in line:
        x = [pixel] + x[:-1]
        value = F(0)
        for k in reversed(range(len(b))):
            value = fma(b[k], x[k], value)
        for k in reversed(range(1, len(a))):
            value = fma(-a[k], y[k - 1], value)
        y = [value] + y[:-1]
        out.append(value)
    return np.array(out, F)


def direct(sigma, line):
    numerator, denominator = whole(sigma)
    gain = 2 * numerator.sum() / denominator.sum() - numerator[0]
    return recursion(numerator / gain, denominator, line) - F(numerator[0] / gain / 2) * line


def cascade(sigma, line):
    numerator, _ = whole(sigma)
    roots = np.roots(numerator)
    lone = min((root for root in roots), key=lambda root: abs(root.imag)).real
    pair = np.real(np.poly([root for root in roots if root.real != lone or abs(root.imag) > 1e-12][:2]))
    denominators = [np.float64(F(d)) for _, d in second_order(sigma)]
    parts = [np.array([1, -lone]), pair]
    once = numerator[0] * parts[0].sum() * parts[1].sum() / (denominators[0].sum() * denominators[1].sum())
    scale = numerator[0] / (2 * once - numerator[0])
    out = recursion(parts[0] * np.sqrt(scale), denominators[0], line)
    return recursion(parts[1] * np.sqrt(scale), denominators[1], out) - F(scale / 2) * line


def parallel(sigma, line):
    sections = [(n, np.float64(F(d))) for n, d in second_order(sigma)]
    gain = sum(2 * n.sum() / d.sum() - n[0] for n, d in sections)
    out = -F(sum(n[0] for n, _ in sections) / gain / 2) * line
    for n, d in sections:
        out = out + recursion(n / gain, d, line)
    return out


def complex_poles(sigma, line):
    """The form of cl/ops/gaussian_recursion.cl."""
    rounded = [complex(F(p.real), F(p.imag)) for p in poles(sigma)]
    gain = sum((2 * a / (1 - p) - a).real for a, p in zip(AMPLITUDES, rounded))
    out = -F(sum(a.real for a in AMPLITUDES) / gain / 2) * line
    for a, p in zip(AMPLITUDES, rounded):
        real, imaginary, wave = F(0), F(0), []
        for pixel in line:
            turned = F(F(p.imag) * real)
            real = fma(F(p.real), real, fma(-F(p.imag), imaginary, pixel))
            imaginary = fma(F(p.real), imaginary, turned)
            wave.append(fma(F(a.real / gain), real, -F(F(a.imag / gain) * imaginary)))
        out = out + np.array(wave, F)
    return out


def exact(sigma, count):
    n = np.arange(count)
    wave = sum((a * p ** n).real for a, p in zip(AMPLITUDES, poles(sigma)))
    wave /= 2 * wave.sum() - wave[0]
    wave[0] /= 2
    return wave


def main():
    forms = (direct, cascade, parallel, complex_poles)
    print(f"{'sigma':>6}", *(f"{form.__name__:>20}" for form in forms))
    for sigma in (1, 8, 16, 32, 64, 128, 512):
        count = 14 * sigma + 8
        dot = np.zeros(count, F)
        dot[0] = 1
        ones = np.ones(20 * sigma + 50, F)
        cells = []
        with np.errstate(all="ignore"):
            for form in forms:
                answer = 2 * np.abs(form(sigma, dot).astype(float) - exact(sigma, count)).sum()
                constant = abs(2 * float(form(sigma, ones)[-1]) - 1)
                cells.append(f"{answer:10.1e}{constant:10.1e}")
        print(f"{sigma:6}", *cells)


if __name__ == "__main__":
    main()
