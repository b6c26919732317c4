# SPDX-License-Identifier: Apache-2.0
"""The problem files of the comparison, in a form both programs can read, and the one measure both are judged by.

e_scaled = |D r - P_K(D r - U~)| / |q|,  U = W r + q,  U~ = U + (mu |U_T| + mu_r |U_R|) n,  D_c = trace(W_cc) / d
(the scale-free natural map; conventions and file formats: docs/conventions.md). Evaluated here, in Python, from the
impulses a program returns, so that no program is judged by its own word.
"""
import os
import time

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as sl

FOLDERS = {"fc3d": "fc3d", "gfc3d": "gfc3d", "generated": "gfc3d", "rolling": "rfc3d", "fc2d": "fc2d"}
DENSE_UP_TO = 150  # contacts; above, dense storage only slows every solver down
TWINS = {"rolling/Chute-ndof-768-nc-4-3.hdf5"}  # the same numbers as the .dat file of that name


class Problem:
    """One file: `name` is folder/file, `kind` the driver's word (fc3d, gfc3d, rfc3d, grfc3d, fc2d)."""

    def __init__(self, data, work, name):
        self.name, self.path, self.work = name, os.path.join(data, name), work
        self.kind = FOLDERS[name.split("/")[0]]
        base = os.path.basename(name)
        if base.startswith(("GRFC", "Chute")):
            self.kind = "grfc3d"
        if base.startswith("gfc2d"):
            self.kind = "gfc2d"
        self.is_global = self.kind.startswith("g")
        self.given = self.path  # the file in the form it came in, as text
        self.condense_seconds = 0.0

    def prepare(self, fcread):
        """Text files for the Siconos driver (packaged without FCLib) and the local matrices for the measure."""
        self.stem = os.path.join(self.work, "text", self.name.replace("/", "_"))
        cache = self.stem + ".npz"
        if self.path.endswith(".hdf5"):
            self.given = self.stem + ".dat"
        if os.path.exists(cache):
            z = np.load(cache)
            self.W = sp.csr_matrix((z["x"], z["i"], z["p"]))
            self.q, self.mu, self.mu_r, self.dim = z["q"], z["mu"], z["mu_r"], int(z["dim"])
            self.condense_seconds = float(z["seconds"])
            return self._ready()
        os.makedirs(os.path.dirname(self.stem), exist_ok=True)
        rolling = self.kind in ("rfc3d", "grfc3d")
        p = fcread.load(self.path, self.kind[:-2])
        self.mu, self.dim = p["mu"], p["dim"]
        self.mu_r = p["mu_r"] if rolling else np.zeros(0)
        if self.is_global:
            start = time.perf_counter()
            W, self.q = condense(p["M"], p["H"], p["f"], p["b"])
            self.condense_seconds = time.perf_counter() - start
            if self.given != self.path:
                fcread.write_gfc(self.given, p)
        else:
            W, self.q = p["W"], p["q"]
        self.W = sp.csr_matrix(W)
        local = dict(dim=self.dim, nc=p["nc"], W=W, q=self.q, mu=self.mu)
        if rolling:
            local["mu_r"] = self.mu_r
        fcread.write_fc(self.local_file("block"), local, "sbm")
        if p["nc"] <= DENSE_UP_TO:
            fcread.write_fc(self.local_file("dense"), local, "dense")
        np.savez(cache, x=self.W.data, i=self.W.indices, p=self.W.indptr, q=self.q, mu=self.mu, mu_r=self.mu_r,
                 dim=self.dim, seconds=self.condense_seconds)
        return self._ready()

    def cairn_file(self):
        """The local form for Cairn: the file itself, or the condensed one Siconos gets."""
        return self.local_file("block") if self.is_global else self.path

    def local_file(self, storage):
        """The local form, W and q, with W stored as blocks or dense (column by column)."""
        return f"{self.stem}.local.{storage}.dat"

    def _ready(self):
        self.contacts = len(self.mu)
        self.D = self.W.diagonal().reshape(self.contacts, self.dim).mean(axis=1)
        self.D[self.D <= 0] = 1.0
        return self

    def e_scaled(self, r):
        """The measure of the head of this file for impulses r, (N, T1, T2[, R1, R2]) per contact."""
        n, d = self.contacts, self.dim
        r = np.asarray(r)[:n * d]
        if not np.all(np.isfinite(r)):
            return float("inf")
        U = (self.W @ r + self.q).reshape(n, d)
        parts = [slice(1, 3), slice(3, 5)] if len(self.mu_r) else [slice(1, d)]
        frictions = [self.mu, self.mu_r] if len(self.mu_r) else [self.mu]
        Dr = self.D[:, None] * r.reshape(n, d)
        x = Dr - U
        for part, mu in zip(parts, frictions):
            x[:, 0] -= mu * np.linalg.norm(U[:, part], axis=1)
        return float(np.linalg.norm(Dr - project(x, parts, frictions)) / np.linalg.norm(self.q))


def project(x, parts, frictions):
    """Projection of each row of x on { |x_part| <= mu x_N for every part }.

    Its normal component is the root of an increasing function that is the minimum of linear ones, one for each set of
    active parts, hence the largest of their roots.
    """
    sizes = [np.linalg.norm(x[:, part], axis=1) for part in parts]
    normal = np.zeros(len(x))
    for active in range(1 << len(parts)):
        top, below = x[:, 0].copy(), np.ones(len(x))
        for k, (size, mu) in enumerate(zip(sizes, frictions)):
            if active >> k & 1:
                top += mu * size
                below += mu * mu
        normal = np.maximum(normal, top / below)
    y = np.zeros_like(x)
    y[:, 0] = normal
    for part, size, mu in zip(parts, sizes, frictions):
        factor = np.minimum(1.0, mu * normal / np.where(size > 0, size, 1.0))
        y[:, part] = x[:, part] * factor[:, None]
    return y


def condense(M, H, f, b):
    """W = H' M^-1 H, q = H' M^-1 f + b."""
    lu = sl.splu(M.tocsc())
    W = (H.T @ sp.csc_matrix(lu.solve(H.toarray()))).tocsc()
    W.data[abs(W.data) < 1e-300] = 0
    W.eliminate_zeros()
    return W, H.T @ lu.solve(f) + b


def find_problems(data, work, fcread, folders, pattern=""):
    """All problems of the folders that have a contact, smallest first."""
    names = sorted(f"{folder}/{file}" for folder in folders for file in os.listdir(os.path.join(data, folder)))
    found = []
    for name in names:
        if name in TWINS or pattern not in name or not name.endswith((".dat", ".hdf5")) or "_00000_00117" in name:
            continue
        found.append(Problem(data, work, name).prepare(fcread))
    return sorted(found, key=lambda p: (p.contacts, p.name))
