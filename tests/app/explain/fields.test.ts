/** Field help: the project's own text where it exists, and the server's description. */
import { describe, expect, it } from 'vitest'
import { wordsOf } from '../../../src/app/features/explain/field-words'
import { servedField } from '../../../src/app/features/explain/served-field'
import { sendRequest, testServer } from '../../support/server'

describe('the server’s words for a field', () => {
  it('shows type, default and description, through references, lists and maps', async () => {
    const { json } = await sendRequest(testServer(), { path: '/openapi/v3/apis/apps/v1' })
    const field = (...path: string[]) =>
      servedField(json, { apiVersion: 'apps/v1', kind: 'Deployment', path })
    expect(field('spec', 'replicas')?.type).toBe('int32')
    expect(field('spec', 'replicas')?.description).toMatch(/desired pods/)
    expect(field('spec', 'selector')?.notes).toEqual(expect.arrayContaining(['required', 'atomic']))
    expect(field('spec', 'template', 'spec', 'containers')?.type).toBe('[]Container')
    expect(field('spec', 'template', 'spec', 'containers')?.notes).toContain(
      'items are identified by name',
    )
    expect(field('spec', 'template', 'spec', 'containers', '[]', 'image')?.description).toMatch(
      /image name/,
    )
    expect(field('metadata', 'labels', 'app')?.type).toBe('string')
    expect(
      field('spec', 'template', 'spec', 'containers', '[]', 'ports', '[]', 'protocol')?.notes,
    ).toContain('default "TCP"')
  })

  it('knows nothing of a field or kind that is not there', async () => {
    const { json } = await sendRequest(testServer(), { path: '/openapi/v3/apis/apps/v1' })
    expect(
      servedField(json, { apiVersion: 'apps/v1', kind: 'Deployment', path: ['spec', 'replicsa'] }),
    ).toBeUndefined()
    expect(
      servedField(json, { apiVersion: 'apps/v1', kind: 'Widget', path: ['spec'] }),
    ).toBeUndefined()
  })
})

describe('our words for a field', () => {
  it('are the kind’s own, or those of every kind', () => {
    expect(wordsOf({ kind: 'Deployment', path: ['spec', 'paused'] })?.[0]).toMatch(/wait/)
    expect(wordsOf({ kind: 'ConfigMap', path: ['metadata', 'resourceVersion'] })?.[0]).toMatch(
      /every write/,
    )
    expect(wordsOf({ kind: 'ConfigMap', path: ['data', 'key'] })).toBeUndefined()
  })

  it('take metadata of a template, and of a list’s items, for what they are', () => {
    expect(
      wordsOf({ kind: 'Deployment', path: ['spec', 'template', 'metadata', 'labels'] })?.[0],
    ).toMatch(/selecting objects/)
    expect(wordsOf({ kind: 'Pod', path: ['status', 'conditions', '[]', 'type'] })?.[0]).toMatch(
      /type of the condition/,
    )
  })
})
