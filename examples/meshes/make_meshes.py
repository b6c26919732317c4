#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the meshes of the examples: ring.obj, hook.obj."""
import math
import pathlib

here = pathlib.Path(__file__).parent


def write(name, vertices, faces):
    with open(here / name, "w", encoding="utf-8") as out:
        for v in vertices:
            out.write("v {:.6g} {:.6g} {:.6g}\n".format(*v))
        for f in faces:
            out.write("f {} {} {}\n".format(*(k + 1 for k in f)))


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


def outward(vertices, faces):
    """Turns the faces so that the volume is positive."""
    volume = 0.0
    for a, b, c in faces:
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = vertices[a], vertices[b], vertices[c]
        volume += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
    return faces if volume > 0 else [(a, c, b) for a, b, c in faces]


ring = [(0.03 * math.cos(2 * math.pi * k / 32), 0.03 * math.sin(2 * math.pi * k / 32)) for k in range(32)]
vertices, faces = tube(ring, 0.006, 12, True)
write("ring.obj", vertices, outward(vertices, faces))

# A shank from above, then three quarters of a circle.
hook = [(0.03, 0.15 - 0.01 * k) for k in range(15)]
hook += [(0.03 * math.cos(a), -0.03 * math.sin(a)) for a in (math.radians(7.5 * k) for k in range(31))]
vertices, faces = tube(hook, 0.008, 12, False)
write("hook.obj", vertices, outward(vertices, faces))
