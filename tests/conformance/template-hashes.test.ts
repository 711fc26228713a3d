/** The digests in names, which a replay does not compare: those of every replica set in the recordings are made again. */
import { expect, it } from 'vitest'
import { templateHash } from '../../src/engine/controllers/shared/template-hash'
import type { JsonObject } from '../../src/engine/core/object'
import { FOLDERS, readRecordings, recordingFiles } from './recording-files'

interface ReplicaSet {
  kind: string
  metadata: { name: string; labels?: Record<string, string>; ownerReferences?: { kind: string }[] }
  spec: { template: { metadata: { labels: Record<string, string> } } & JsonObject }
}

const LABEL = 'pod-template-hash'

it("names every recorded replica set of a deployment by its template's digest", () => {
  const found = FOLDERS.flatMap((folder) => recordingFiles(folder))
    .flatMap(readRecordings)
    .flatMap(({ steps }) => steps)
    .flatMap(({ response }) => replicaSetsIn(response.text))
  expect(found.length).toBeGreaterThan(50)
  for (const { metadata, spec } of found) {
    const { [LABEL]: recorded, ...labels } = spec.template.metadata.labels
    const template = { ...spec.template, metadata: { ...spec.template.metadata, labels } }
    expect(templateHash(template), metadata.name).toBe(recorded)
  }
})

function replicaSetsIn(text: string | undefined): ReplicaSet[] {
  if (!text?.includes(LABEL)) return []
  const responses = text.split('\n').flatMap((line) => parsed(line) ?? [])
  return responses
    .flatMap((result) => result.items ?? [result.object ?? result])
    .filter(isOfDeployment)
}

const isOfDeployment = (object: Partial<ReplicaSet>): object is ReplicaSet =>
  object.spec?.template?.metadata.labels[LABEL] !== undefined &&
  object.metadata?.ownerReferences?.[0]?.kind === 'Deployment'

interface TestResponse extends Partial<ReplicaSet> {
  items?: Partial<ReplicaSet>[]
  object?: Partial<ReplicaSet>
}

function parsed(line: string): TestResponse | undefined {
  try {
    return JSON.parse(line) as TestResponse
  } catch {
    return undefined
  }
}
