#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the meshes of the examples: rings and hook, gears, nut and bolt, chess pieces, the relief of one field."""
import math
import pathlib

here = pathlib.Path(__file__).parent


def write(name, vertices, faces, digits=6):
    """As OBJ, with the faces turned so that the volume is positive."""
    volume = 0.0
    for a, b, c in faces:
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = vertices[a], vertices[b], vertices[c]
        volume += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
    with open(here / name, "w", encoding="utf-8") as out:
        for v in vertices:
            out.write("v {} {} {}\n".format(*("{:.{}g}".format(x + 0.0, digits) for x in v)))
        for a, b, c in faces:
            out.write("f {} {} {}\n".format(*((a + 1, b + 1, c + 1) if volume > 0 else (a + 1, c + 1, b + 1))))


def tube(path, radius, sides, closed):
    """A round bar along points of the plane y = 0."""
    n = len(path)
    vertices, faces = [], []
    for i, (x, z) in enumerate(path):
        before, after = path[(i - 1) % n if closed else max(i - 1, 0)], path[(i + 1) % n if closed else min(i + 1, n - 1)]
        dx, dz = after[0] - before[0], after[1] - before[1]
        length = math.hypot(dx, dz)
        nx, nz = dz / length, -dx / length  # across the bar, within the plane
        for k in range(sides):
            a = 2 * math.pi * k / sides
            vertices.append((x + radius * math.cos(a) * nx, radius * math.sin(a), z + radius * math.cos(a) * nz))
    for i in range(n if closed else n - 1):
        for k in range(sides):
            p, q = i * sides + k, i * sides + (k + 1) % sides
            r, s = (i + 1) % n * sides + k, (i + 1) % n * sides + (k + 1) % sides
            faces += [(p, r, s), (p, s, q)]
    if not closed:
        for first, turn in ((0, 1), ((n - 1) * sides, -1)):
            centre = len(vertices)
            vertices.append((path[0 if first == 0 else -1][0], 0.0, path[0 if first == 0 else -1][1]))
            for k in range(sides):
                a, b = first + k, first + (k + 1) % sides
                faces.append((centre, a, b) if turn > 0 else (centre, b, a))
    return vertices, faces


class Shell:
    """A closed surface built from loops around the z axis: each loop is joined to the one before it, by angle."""

    def __init__(self):
        self.vertices, self.faces, self.last, self.first = [], [], None, None

    def add(self, points):
        """A loop of (x, y, z), counter-clockwise seen from above and star-shaped about the axis."""
        loop = list(range(len(self.vertices), len(self.vertices) + len(points)))
        self.vertices += points
        if self.last:
            self.join(self.last, loop)
        self.first, self.last = self.first or loop, loop
        return self

    def turn_of(self, i):
        return math.atan2(self.vertices[i][1], self.vertices[i][0])

    def from_smallest_turn(self, loop):
        k = min(range(len(loop)), key=lambda i: self.turn_of(loop[i]))
        return loop[k:] + loop[:k]

    def join(self, a, b):
        if len(a) == len(b):  # corner by corner, however the loops are turned
            for k in range(len(a)):
                m = (k + 1) % len(a)
                self.faces += [(a[k], a[m], b[m]), (a[k], b[m], b[k])]
            return
        a, b = (self.from_smallest_turn(loop) for loop in (a, b))
        i = j = 0
        while i < len(a) or j < len(b):
            next_a = self.turn_of(a[i + 1]) if i + 1 < len(a) else self.turn_of(a[0]) + 2 * math.pi
            next_b = self.turn_of(b[j + 1]) if j + 1 < len(b) else self.turn_of(b[0]) + 2 * math.pi
            if j == len(b) or (i < len(a) and next_a <= next_b):
                self.faces.append((a[i % len(a)], a[(i + 1) % len(a)], b[j % len(b)]))
                i += 1
            else:
                self.faces.append((a[i % len(a)], b[(j + 1) % len(b)], b[j % len(b)]))
                j += 1

    def tip(self, z, first=False):
        """Ends in a point of the axis."""
        loop, top = self.first if first else self.last, len(self.vertices)
        self.vertices.append((0.0, 0.0, z))
        for k in range(len(loop)):
            p, q = loop[k], loop[(k + 1) % len(loop)]
            self.faces.append((q, p, top) if first else (p, q, top))
        return self


def circle(radius, z, n, phase=0.0):
    return [(radius * math.cos(phase + 2 * math.pi * k / n), radius * math.sin(phase + 2 * math.pi * k / n), z)
            for k in range(n)]


def gear_outline(module, teeth, play):
    """Involute teeth, pressure angle 20 degrees, the first one on the x axis; `play` is taken off each flank."""
    pitch = module * teeth / 2
    base, root, tip = pitch * math.cos(math.radians(20)), pitch - 1.25 * module, pitch + module

    def half(r):  # half the angle of a tooth at radius r: pi/(2 z) + inv(20 deg) - inv(phi), cos(phi) = base / r
        def involute(phi):
            return math.tan(phi) - phi
        return math.pi / (2 * teeth) - play / pitch + involute(math.radians(20)) - involute(math.acos(min(1, base / r)))

    radii = [root] + [base + (tip - base) * (k / 7) ** 1.5 for k in range(8)]
    points = []
    for tooth in range(teeth):
        middle = 2 * math.pi * tooth / teeth
        flank = [(r, half(r)) for r in radii]
        points += [(r, middle - a) for r, a in flank] + [(tip, middle)] + [(r, middle + a) for r, a in reversed(flank)]
        points += [(root, middle + math.pi / teeth)]
    return [(r * math.cos(a), r * math.sin(a)) for r, a in points]


def gear(module, teeth, width, hole, play):
    """Teeth, a rim, a thin web and a hub with a hole."""
    outline = gear_outline(module, teeth, play)
    rim, hub, n, per = module * (teeth / 2 - 2.5), 2 * hole, 48, len(outline) // teeth
    shell, holes, outlines = Shell(), [], []
    for side in (-1, 1):
        z, begin = side * width / 2, len(shell.faces)
        shell.last = None
        holes.append(shell.add(circle(hole, z, n)).last)
        for radius, height in ((hub, z), (hub, 0.4 * z), (rim, 0.4 * z), (rim, z)):
            shell.add(circle(radius, height, n))
        first = len(shell.vertices)
        shell.vertices += [(x, y, z) for x, y in outline]
        outlines.append(list(range(first, len(shell.vertices))))
        # From the rim to the roots, then each tooth by itself: seen from the rim, its flanks would hide each other.
        shell.join(shell.last, [first + per * t + k for t in range(teeth) for k in (0, per - 2, per - 1)])
        for t in range(teeth):
            for k in range(per // 2 - 1):
                left, right = first + per * t + k, first + per * t + per - 2 - k
                shell.faces.append((left, right, left + 1))
                if left + 1 < right - 1:
                    shell.faces.append((right, right - 1, left + 1))
        if side > 0:  # the mirror image
            shell.faces[begin:] = [(a, c, b) for a, b, c in shell.faces[begin:]]
    shell.join(*outlines)
    shell.join(*reversed(holes))
    return shell


# A thread of two starts and 16 mm lead, flanks 15 degrees off the cross-section; lengths in mm.
LEAD, STARTS, INNER, OUTER = 16.0, 2, 9.75, 12.25


def add_thread(shell, z0, z1, play, room, per_turn):
    """The threaded surface between two heights, its flanks moved by `play` and its radii by `room`. The corners of the
    profile run along helices; triangles that reach beyond the heights are cut. Returns the loops of both cuts."""
    pitch, slope, middle = LEAD / STARTS, math.tan(math.radians(15)), (INNER + OUTER) / 2
    profile = []  # half the height of the ridge at both radii; a moved flank is higher by play / cos(15 deg)
    for radius in (INNER + room, OUTER + room):
        profile.append((radius, pitch / 4 - (radius - middle) * slope + play / math.cos(math.radians(15))))
    (inner, low), (outer, high) = profile
    corners = [(inner, -low), (outer, -high), (outer, high), (inner, low)]
    points, cuts = {}, {z0: [], z1: []}

    def vertex(i, line):
        i, line = i % per_turn, line + 4 * STARTS * (i // per_turn)
        if (i, line) not in points:
            (r, z), turn = corners[line % 4], 2 * math.pi * i / per_turn
            points[i, line] = len(shell.vertices)
            shell.vertices.append((r * math.cos(turn), r * math.sin(turn), z + line // 4 * pitch + LEAD * i / per_turn + 0.1))
        return points[i, line]

    def cut(polygon, z, side):
        """Sutherland and Hodgman: the part on one side of a height."""
        kept = []
        for p, q in zip(polygon, polygon[1:] + polygon[:1]):
            a, b = shell.vertices[p], shell.vertices[q]
            if side * (a[2] - z) > 0:
                kept.append(p)
            if (a[2] - z) * (b[2] - z) < 0:
                key = (min(p, q), max(p, q), z)
                if key not in points:
                    a, b = shell.vertices[key[0]], shell.vertices[key[1]]
                    t = (z - a[2]) / (b[2] - a[2])
                    points[key] = len(shell.vertices)
                    shell.vertices.append((a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), z))
                    cuts[z].append(points[key])
                kept.append(points[key])
        return kept

    for line in range(4 * math.floor(z0 / pitch - STARTS - 2), 4 * math.ceil(z1 / pitch + 2)):
        for i in range(per_turn):
            a, b, c, d = vertex(i, line), vertex(i + 1, line), vertex(i + 1, line + 1), vertex(i, line + 1)
            for triangle in ([a, b, c], [a, c, d]):
                rest = cut(cut(triangle, z0, 1), z1, -1)
                shell.faces += [(rest[0], rest[k], rest[k + 1]) for k in range(1, len(rest) - 1)]
    return [sorted(cuts[z], key=shell.turn_of) for z in (z0, z1)]


def drop_unused(shell):
    used = sorted({i for face in shell.faces for i in face})
    number = {old: new for new, old in enumerate(used)}
    shell.vertices = [shell.vertices[i] for i in used]
    shell.faces = [tuple(number[i] for i in face) for face in shell.faces]
    return shell


def bolt(length, head, wrench):
    shell, corner = Shell(), wrench / math.sqrt(3)
    bottom, top = add_thread(shell, 0.0, length, 0.0, 0.0, 40)
    for radius, z in ((corner - 1.5, -head), (corner, 1.5 - head), (corner, -1.5), (corner - 1.5, 0.0)):
        shell.add(circle(radius, z, 6, math.pi / 6))
    shell.join(shell.last, bottom)
    shell.last = top
    return drop_unused(shell.tip(length).tip(-head, first=True))


def nut(height, wrench, play, room):
    shell, corner = Shell(), wrench / math.sqrt(3)
    # Not the bolt's 40 facets per turn: the nut rides on some edge all the time instead of on all of them at once.
    bottom, top = add_thread(shell, -height / 2, height / 2, play, room, 36)
    shell.faces = [(a, c, b) for a, b, c in shell.faces]  # a hole
    for radius, z in ((corner - 1.5, -height / 2), (corner, 1.5 - height / 2), (corner, height / 2 - 1.5), (corner - 1.5, height / 2)):
        shell.add(circle(radius, z, 6, math.pi / 6))
    shell.join(bottom, shell.first)
    shell.join(shell.last, top)
    return drop_unused(shell)


def lathe(profile, n, teeth=0, cut=0.0):
    """A turned piece from (r, z) points, from the axis to the axis; the loops above `cut` have battlements."""
    shell = Shell()
    for r, z in profile[1:-1]:
        loop = circle(r, z, n)
        if teeth and z > cut:
            loop = [(x, y, z if k * teeth * 2 // n % 2 else cut) for k, (x, y, z) in enumerate(loop)]
        shell.add(loop)
    return shell.tip(profile[-1][1]).tip(profile[0][1], first=True)


def write_knight(name):
    """Hexahedra between pairs of points of a horse's outline, and a wedge for its ears; MSH 2.2, field size 1."""
    pairs = [((-.30, 0), (.30, 0)), ((-.30, .12), (.30, .12)), ((-.20, .20), (.22, .20)), ((-.13, .50), (.26, .52)),
             ((-.10, .70), (.25, .80)), ((-.15, .78), (.14, 1.0)), ((-.26, .74), (-.04, .98)), ((-.46, .56), (-.42, .76))]
    half = [.26, .26] + 6 * [.15]
    nodes, cells = [], []
    for ((ax, az), (bx, bz)), y in zip(pairs, half):
        nodes += [(ax, -y, az), (bx, -y, bz), (bx, y, bz), (ax, y, az)]
    nodes += [(.10, -.15, 1.13), (.10, .15, 1.13)]
    for k in range(len(pairs) - 1):
        cells.append((5, [4 * k + i + 1 for i in range(8)]))
    cells.append((6, [22, 26, 33, 23, 27, 34]))
    with open(here / name, "w", encoding="utf-8") as out:
        out.write("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{}\n".format(len(nodes)))
        out.writelines("{} {:g} {:g} {:g}\n".format(i + 1, *x) for i, x in enumerate(nodes))
        out.write("$EndNodes\n$Elements\n{}\n".format(len(cells)))
        out.writelines("{} {} 2 1 1 {}\n".format(i + 1, kind, " ".join(map(str, c))) for i, (kind, c) in enumerate(cells))
        out.write("$EndElements\n")


def write_bowl(name, n=20):
    """A field with a hollow, as an ESRI grid of (n + 1)^2 heights; field size 1."""
    with open(here / name, "w", encoding="utf-8") as out:
        out.write("ncols {}\nnrows {}\nxllcenter -0.5\nyllcenter -0.5\ncellsize {:g}\n".format(n + 1, n + 1, 1 / n))
        for j in range(n + 1):
            out.write(" ".join("{:g}".format(0.06 + 0.5 * ((i / n - 0.5) ** 2 + (j / n - 0.5) ** 2)) for i in range(n + 1)) + "\n")


ring = [(0.03 * math.cos(2 * math.pi * k / 32), 0.03 * math.sin(2 * math.pi * k / 32)) for k in range(32)]
write("ring.obj", *tube(ring, 0.006, 12, True))

# A shank from above, then three quarters of a circle.
hook = [(0.03, 0.08 - 0.01 * k) for k in range(8)]
hook += [(0.03 * math.cos(a), -0.03 * math.sin(a)) for a in (math.radians(7.5 * k) for k in range(31))]
write("hook.obj", *tube(hook, 0.008, 12, False))

for name, shell in (("pinion.obj", gear(5, 18, 22, 8, 0.05)), ("wheel.obj", gear(5, 27, 18, 8, 0.05)),
                    ("bolt.obj", bolt(80, 12, 40)), ("nut.obj", nut(16, 44, 0.2, 0.6))):
    write(name, shell.vertices, shell.faces, 5)

# Chess pieces, with the side of a field as unit.
foot = [(0, 0), (.33, 0), (.33, .08), (.29, .13), (.25, .15)]
rook = foot + [(.20, .28), (.18, .62), (.20, .70), (.29, .76), (.29, .95), (.19, .95), (.19, .84), (0, .84)]
queen = foot + [(.17, .32), (.12, .70), (.13, .95), (.21, 1.0), (.13, 1.04), (.15, 1.15), (.24, 1.36), (.19, 1.36), (.14, 1.26), (0, 1.3)]
king = foot + [(.18, .32), (.14, .70), (.15, 1.0), (.23, 1.06), (.15, 1.1), (.17, 1.2), (.23, 1.42), (.18, 1.47), (0, 1.5)]
for name, shell in (("rook.obj", lathe(rook, 48, 6, .86)), ("queen.obj", lathe(queen, 48, 8, 1.30)), ("king.obj", lathe(king, 32))):
    write(name, shell.vertices, shell.faces, 5)
write_knight("knight.msh")
write_bowl("bowl.asc")
