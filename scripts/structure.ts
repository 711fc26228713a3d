/**
 * Prints the layers of src/ with their imports, for ARCHITECTURE.md.
 *
 *     npm run structure
 */
import { fileURLToPath, pathToFileURL } from 'node:url'
import { layerOf, readTree } from './check-imports'
import { SHARED_TYPES } from './import-rules'

interface DrawnLayer {
  name: string
  /** Longest import path below the layer. */
  height: number
  /** Imports that no other import already reaches. */
  imports: string[]
}

const SOURCES = fileURLToPath(new URL('../src', import.meta.url))

/** Almost every layer imports these, so the drawing leaves them out. */
const EVERYWHERE = ['foundation', 'vocabulary']

/**
 * @param imports the files that each file imports
 * @returns highest first, then by name
 */
export function drawnLayers(imports: ReadonlyMap<string, readonly string[]>): DrawnLayer[] {
  const below = new Map<string, Set<string>>()
  for (const [file, targets] of imports) {
    const name = layerOf(file)?.name
    if (name === undefined || EVERYWHERE.includes(name)) continue
    const known = below.get(name) ?? new Set()
    below.set(name, known)
    for (const target of targets) {
      // Their types pass through all layers, see import-rules.ts.
      if (SHARED_TYPES.includes(target)) continue
      const other = layerOf(target)?.name
      if (other !== undefined && other !== name && !EVERYWHERE.includes(other)) known.add(other)
    }
  }
  const heights = new Map<string, number>()
  const heightOf = (name: string): number => {
    const found = heights.get(name)
    if (found !== undefined) return found
    // A cycle breaks the import rules; it ends here at height 0.
    heights.set(name, 0)
    const height = Math.max(0, ...[...(below.get(name) ?? [])].map((other) => heightOf(other) + 1))
    heights.set(name, height)
    return height
  }
  return [...below]
    .map(([name, targets]) => ({
      name,
      height: heightOf(name),
      imports: direct(targets, below),
    }))
    .sort((a, b) => b.height - a.height || (a.name < b.name ? -1 : 1))
}

/** Removes targets that another target reaches. */
function direct(targets: ReadonlySet<string>, below: ReadonlyMap<string, Set<string>>): string[] {
  const reached = new Set<string>()
  const reach = (name: string): void => {
    for (const other of below.get(name) ?? []) {
      if (reached.has(other)) continue
      reached.add(other)
      reach(other)
    }
  }
  for (const name of targets) reach(name)
  return [...targets].filter((name) => !reached.has(name)).sort()
}

/** `admission  ──► authorization`. A blank line separates heights. */
export function drawing(layers: readonly DrawnLayer[]): string {
  const width = Math.max(...layers.map(({ name }) => name.length))
  return layers
    .map(({ name, height, imports }, index) => {
      const above = layers[index - 1]
      const gap = above !== undefined && above.height !== height ? '\n' : ''
      const arrow = `${name.padEnd(width)}  ──► ${imports.join(', ')}`
      return `${gap}${imports.length > 0 ? arrow : name}`
    })
    .join('\n')
}

export function currentDrawing(): string {
  return drawing(drawnLayers(readTree(SOURCES).imports))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(currentDrawing())
