/** Finds the line of a field in the text of a manifest. */
import type { YamlNode } from '../../engine/schema/yaml/nodes'
import { parseYaml } from '../../engine/schema/yaml/parser'
import type { Manifest } from './read'

/**
 * The line of a field, or of its closest ancestor that the manifest has.
 * @param path as in validation errors: `spec.containers[0].image`, `metadata.labels[app.io/name]`
 * @returns 1-based, in the file; undefined if the lines of the file are not known
 */
export function lineOf({ text, line, item }: Manifest, path: string): number | undefined {
  if (line === undefined) return undefined
  let node = rootOf(text)
  if (node === undefined) return line
  let found = node.line
  const steps = [...(item === undefined ? [] : ['items', `${item}`]), ...stepsOf(path)]
  for (const step of steps) {
    const next = childOf(node, step)
    if (next === undefined) break
    node = next.value
    found = next.line
  }
  return line + found
}

/** JSON with escapes that YAML lacks has no nodes. */
function rootOf(text: string): YamlNode | undefined {
  try {
    return parseYaml(text)
  } catch {
    return undefined
  }
}

function stepsOf(path: string): string[] {
  return [...path.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)].map(([, inBrackets, name]) =>
    (inBrackets ?? name ?? '').replace(/^"(.*)"$/, '$1'),
  )
}

function childOf(node: YamlNode, step: string): { value: YamlNode; line: number } | undefined {
  const target = node.kind === 'alias' ? node.target : node
  if (target.kind === 'list') {
    const value = /^\d+$/.test(step) ? target.items[Number(step)] : undefined
    return value && { value, line: value.line }
  }
  if (target.kind !== 'map') return undefined
  const entry = target.entries.find(({ key }) => key.kind === 'scalar' && key.value === step)
  return entry && { value: entry.value, line: entry.key.line }
}
