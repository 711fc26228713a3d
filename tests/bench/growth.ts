/** What a server-side apply costs by the length of the list in it: should grow as the list does, no faster. */
import type { Client } from './client'
import { load } from './client'

const SIZES = [10, 100, 1000]
/** Requests of each kind are about so many elements altogether, so that every row takes about as long. */
const ELEMENTS = 60_000
const IN_FLIGHT = 4

/** @param version of the value of an element */
function deployment(name: string, size: number, version: (element: number) => number): object {
  const env = Array.from({ length: size }, (_, i) => ({
    name: `VARIABLE_${i}`,
    value: `value ${version(i)}`,
  }))
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'web', image: 'nginx:1.27', env }] },
      },
    },
  }
}

/** The list items that the i-th apply changes. */
const CHANGES: Record<string, (i: number) => (element: number) => number> = {
  'changes every element': (i) => () => i,
  'changes one element': (i) => (element) => (element === 0 ? i : 0),
  'changes nothing': () => () => 0,
}

/**
 * Prints a table of microseconds of processor time for each request.
 * @param used processor seconds of the server so far
 */
export async function printGrowth(
  { send }: Client,
  namespace: string,
  used: () => number,
): Promise<void> {
  console.log(`\nserver-side apply, µs of processor time a request (and an element)`)
  console.log(
    `${'elements in the list'.padEnd(24)}${SIZES.map((size) => String(size).padStart(18)).join('')}`,
  )
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments`
  for (const [what, versionsOf] of Object.entries(CHANGES)) {
    const cells: string[] = []
    for (const size of SIZES) {
      const count = Math.max(60, Math.round(ELEMENTS / (size + 20)))
      const apply = (i: number) => {
        const name = `${what.replaceAll(' ', '-')}-${size}-${i % IN_FLIGHT}`
        const body = JSON.stringify(deployment(name, size, versionsOf(Math.floor(i / IN_FLIGHT))))
        return send('PATCH', `${path}/${name}?fieldManager=bench`, {
          type: 'application/apply-patch+yaml',
          body,
        })
      }
      await load(Math.max(20, count / 4), IN_FLIGHT, apply)
      const before = used()
      const { failed } = await load(count, IN_FLIGHT, (i) => apply(i + count))
      if (failed > 0) throw new Error(`${failed} applies failed`)
      const microseconds = ((used() - before) * 1e6) / count
      cells.push(`${microseconds.toFixed(0)} (${(microseconds / size).toFixed(1)})`.padStart(18))
    }
    console.log(`${what.padEnd(24)}${cells.join('')}`)
  }
}
