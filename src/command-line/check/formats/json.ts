import { type Checked, countsOf } from '../findings'

export function jsonFormat({ release, manifests, clusterObjects, findings }: Checked): string {
  const summary = { manifests: manifests.length, clusterObjects, ...countsOf(findings) }
  return `${JSON.stringify({ release, summary, findings }, null, 2)}\n`
}
