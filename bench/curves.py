"""Curves as SVG, for the pages of results."""
import math

COLOURS = ["#1f5fa8", "#c4501b", "#3a8f3a", "#7a4fa0", "#b08a00", "#777777"]


def marks(low, high):
    """Some round numbers from low to high."""
    step = 10 ** math.floor(math.log10((high - low) / 4 or 1))
    step *= next(m for m in (1, 2, 5, 10) if (high - low) / (step * m) <= 6)
    return [i * step for i in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def draw(to, title, x_name, y_name, series, log_x=False, log_y=False):
    """Write the lines of series, {name: [(x, y)]}, to the file `to`. Logarithmic axes need numbers above 0."""
    series = {name: sorted(line) for name, line in series.items() if line}
    xs = sorted({x for line in series.values() for x, _ in line})
    ys = [y for line in series.values() for _, y in line]
    if not xs:
        return
    width, height, left, top, right, bottom = 560, 320, 66, 34, 128, 46
    fx, fy = (math.log10 if log else float for log in (log_x, log_y))
    x0, x1 = fx(xs[0]), fx(xs[-1])
    y0, y1 = (fy(min(ys)), fy(max(ys))) if log_y else (0, max(ys) * 1.05)
    x1, y1 = x1 if x1 > x0 else x0 + 1, y1 if y1 > y0 else y0 + 1

    def px(x):
        return left + (fx(x) - x0) / (x1 - x0) * (width - left - right)

    def py(y):
        return height - bottom - (fy(y) - y0) / (y1 - y0) * (height - top - bottom)

    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" font-family="sans-serif" '
           'font-size="11" fill="#333">' % (width, height, width, height), "<title>%s</title>" % title,
           '<rect width="100%" height="100%" fill="#fff"/>', '<text x="%d" y="20" font-size="13" font-weight="bold">%s</text>' % (left, title)]
    for y in [10.0 ** e for e in range(math.ceil(y0), math.floor(y1) + 1)] if log_y else marks(y0, y1):
        out.append('<path d="M%d %.1fH%d" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end">%g</text>'
                   % (left, py(y), width - right, left - 6, py(y) + 4, round(y, 9)))
    for x in xs if log_x or len(xs) <= 6 else marks(xs[0], xs[-1]):
        out.append('<path d="M%.1f %dv4" stroke="#888"/><text x="%.1f" y="%d" text-anchor="middle">%s</text>'
                   % (px(x), height - bottom, px(x), height - bottom + 16, "{:,g}".format(round(x, 9))))
    out.append('<path d="M%d %dV%dH%d" fill="none" stroke="#888"/>' % (left, top, height - bottom, width - right))
    out.append('<text x="%d" y="%d" text-anchor="middle">%s</text>' % ((left + width - right) // 2, height - 8, x_name))
    out.append('<text transform="translate(14 %d) rotate(-90)" text-anchor="middle">%s</text>' % ((top + height - bottom) // 2, y_name))
    for i, (name, line) in enumerate(series.items()):
        colour = COLOURS[i % len(COLOURS)]
        out.append('<polyline fill="none" stroke="%s" stroke-width="2" points="%s"/>'
                   % (colour, " ".join("%.1f,%.1f" % (px(x), py(y)) for x, y in line)))
        out += ['<circle cx="%.1f" cy="%.1f" r="3" fill="%s"><title>%s: %g, %.4g</title></circle>' % (px(x), py(y), colour, name, x, y)
                for x, y in line]
        out.append('<text x="%d" y="%d" fill="%s">%s</text>' % (width - right + 12, top + 12 + 16 * i, colour, name))
    with open(to, "w") as f:
        f.write("\n".join(out + ["</svg>"]) + "\n")
