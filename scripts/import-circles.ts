/**
 * Import cycles (Tarjan, "Depth-first search and linear graph algorithms", 1972). Type imports
 * count, dynamic imports do not.
 */

/** @returns strongly connected components of two or more files, each sorted by name */
export function importCircles(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = []
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const path: string[] = []
  const onPath = new Set<string>()

  const lower = (file: string, value: number) =>
    lowest.set(file, Math.min(lowest.get(file) ?? value, value))

  const close = (file: string) => {
    const component = path.splice(path.indexOf(file))
    for (const member of component) onPath.delete(member)
    if (component.length > 1) circles.push(component.sort())
  }

  const visit = (file: string) => {
    const number = order.size
    order.set(file, number)
    lower(file, number)
    path.push(file)
    onPath.add(file)
    for (const target of imports.get(file) ?? []) {
      if (!order.has(target)) {
        visit(target)
        lower(file, lowest.get(target) ?? number)
      } else if (onPath.has(target)) lower(file, order.get(target) ?? number)
    }
    if (lowest.get(file) === number) close(file)
  }

  for (const file of imports.keys()) if (!order.has(file)) visit(file)
  return circles.sort(([a = ''], [b = '']) => (a < b ? -1 : 1))
}
