// SPDX-License-Identifier: Apache-2.0
// Numbers for people: units with prefixes, and enough digits but not more.

const PREFIXES: [number, string][] = [[1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, ''], [1e-3, 'm'], [1e-6, 'µ'], [1e-9, 'n']];
const PREFIXED = new Set(['m', 'N', 'Pa', 'J', 's', 'm/s', 'W', 'N m']);

/// "12.3 kN", "4.56 mm", "0 m". Units that take no prefix ("kg", "rad") are written with powers of ten where needed.
export function withUnit(value: number | null | undefined, unit: string, digits = 3): string {
  if (value === null || value === undefined) return '–';
  if (!Number.isFinite(value)) return value > 0 ? `∞ ${unit}`.trim() : `${value}`;
  if (value === 0) return `0 ${unit}`.trim();
  if (!PREFIXED.has(unit)) return `${plain(value, digits)} ${unit}`.trim();
  const size = Math.abs(value);
  const [factor, prefix] = PREFIXES.find(([f]) => size >= f * 0.9995) ?? [0, ''];
  if (!factor) return `${value.toExponential(digits - 1)} ${unit}`;
  return `${significant(value / factor, digits)} ${prefix}${unit}`;
}

/// Without prefix: plain within 1e-3 .. 1e5, powers of ten outside.
export function plain(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return String(value);
  if (value === 0) return '0';
  const size = Math.abs(value);
  return size >= 1e5 || size < 1e-3 ? value.toExponential(Math.max(0, digits - 1)) : significant(value, digits);
}

/// The same without zeros at the end: for single numbers that need not line up.
export function compact(value: number, digits = 6): string {
  return plain(Number(value.toPrecision(digits)), digits).replace(/(\.\d*?)0+(e|$)/, '$1$2').replace(/\.(e|$)/, '$1');
}

function significant(value: number, digits: number): string {
  const text = value.toPrecision(digits);
  return text.includes('e') ? String(Math.round(value)) : text;
}

/// The numbers of an axis: with a prefix where the unit takes one, and with so many digits that neighbours differ.
export function tickTexts(values: (number | null)[], unit: string): string[] {
  const known = values.filter((v): v is number => v !== null);
  const steps = known.slice(1).map((v, k) => Math.abs(v - known[k])).filter((s) => s > 0);
  const largest = Math.max(0, ...known.map(Math.abs));
  const digits = steps.length && largest > 0 ? Math.min(9, Math.max(3, Math.ceil(Math.log10(largest / Math.min(...steps)) - 1e-9) + 1)) : 3;
  return values.map((v) => {
    if (v === null) return '';
    const text = withUnit(v, unit, digits);
    return text.includes('e') ? compact(v, Math.max(2, digits - 1)) : `${text} `.replace(/(\.\d*?)0+ /, '$1 ').replace('. ', ' ').trimEnd();
  });
}

/// Time with as many places as the interval of the frames needs.
export function timeText(t: number, interval: number): string {
  const places = interval > 0 ? Math.min(6, Math.max(2, Math.ceil(-Math.log10(interval) - 1e-9))) : 3;
  return `${t.toFixed(places)} s`;
}

/// Upper end of a scale: 1, 2 or 5 times a power of ten, not less than the value.
export function niceCeiling(value: number): number {
  if (!(value > 0) || !Number.isFinite(value)) return 1;
  const power = 10 ** Math.floor(Math.log10(value) + 1e-12);
  for (const k of [1, 2, 5, 10]) if (k * power >= value * (1 - 1e-9)) return k * power;
  return 10 * power;
}
