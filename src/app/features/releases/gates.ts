/**
 * * Parses feature gates as `--feature-gates` does: `A=true,B=false`; a name alone enables.
 * @throws Error for other values
 */
export function gatesIn(text: string): Record<string, boolean> {
  const gates = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  return Object.fromEntries(
    gates.map((gate) => {
      const [name = '', value = 'true'] = gate.split('=').map((part) => part.trim())
      if (value !== 'true' && value !== 'false') throw new Error(`${gate}: expected true or false`)
      return [name, value === 'true']
    }),
  )
}
