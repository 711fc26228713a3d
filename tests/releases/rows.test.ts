/**
 * Each row of kubernetes.io, "Deprecated API Migration Guide", checked on running servers.
 * Its notable changes are in notable-changes.test.ts.
 */
import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../../src/engine/core/object'
import { lifecycleOf, rowsOfTable, servedVersions } from '../../src/engine/releases'
import { createMemoryStorage } from '../../src/engine/storage/memory'
import { sendRequest, testServer } from '../support/server'
import { collectionOf, releaseBefore, removedKinds, servedIn } from './row-state'
import { REVIEW_KINDS, sampleOf } from './samples'

/** Omits annotations that other versions add. */
const identity = ({ metadata: { name, uid, creationTimestamp } }: KubeObject) => ({
  name,
  uid,
  creationTimestamp,
})

/** Without what controllers of the server itself write meanwhile. */
const settled = (object: KubeObject) => ({
  ...object,
  metadata: identity(object),
  status: undefined,
})

for (const row of rowsOfTable()) {
  const before = releaseBefore(row)
  describe(row.name, () => {
    for (const old of removedKinds(row)) {
      const { apiVersion, kind } = old
      const isReview = REVIEW_KINDS.includes(kind)
      const sample = sampleOf(apiVersion, kind)
      const name = isReview ? '' : `/${sample.metadata.name}`

      it(`${apiVersion} ${kind} is served by ${before}, with a warning if that release warns`, async () => {
        const server = testServer({ release: before })
        const made = await sendRequest(server, {
          method: 'POST',
          path: collectionOf(old),
          body: sample,
        })
        expect(made.status, made.text).toBe(201)
        expect(made.json).toMatchObject({ apiVersion, kind })
        const lifecycle = lifecycleOf(old.group, old.version, kind)
        const warning = made.headers.get('warning') ?? ''
        if (Number(before.slice(2)) < 19) expect(warning).toBe('')
        else
          expect(warning).toContain(
            `${apiVersion} ${kind} is deprecated in v${lifecycle?.deprecated}+, unavailable in v${row.release}+`,
          )
        if (isReview) return
        const read = await sendRequest(server, { path: collectionOf(old) + name })
        expect(settled(read.json)).toEqual(settled(made.json))
        const list = await sendRequest(server, { path: collectionOf(old) })
        expect(list.json).toMatchObject({ kind: `${kind}List`, apiVersion })
        expect((list.json.items as KubeObject[]).map(({ metadata }) => metadata.name)).toContain(
          sample.metadata.name,
        )
      })

      it(`${apiVersion} ${kind} is gone in ${row.release}`, async () => {
        const server = testServer({ release: row.release })
        const response = await sendRequest(server, {
          method: 'POST',
          path: collectionOf(old),
          body: sample,
        })
        expect(response.status).toBe(404)
        const discovery = await sendRequest(server, { path: `/apis/${apiVersion}` })
        const names =
          discovery.status === 404
            ? []
            : (discovery.json.resources as { name: string }[]).map((resource) => resource.name)
        expect(names).not.toContain(old.resource)
      })

      for (const replacement of row.replacements) {
        const now = servedIn(row.release, replacement.apiVersion, kind)
        if (now === undefined || isReview) continue
        it(`a stored ${apiVersion} ${kind} stays reachable as ${replacement.apiVersion}, and after a way back as it was`, async () => {
          const storage = createMemoryStorage()
          const made = await sendRequest(testServer({ release: before, storage }), {
            method: 'POST',
            path: collectionOf(old),
            body: sample,
          })
          const later = testServer({ release: row.release, storage })
          const reached = await sendRequest(later, { path: collectionOf(now) + name })
          expect(reached.status, reached.text).toBe(200)
          expect(reached.json).toMatchObject({ apiVersion: replacement.apiVersion, kind })
          expect(identity(reached.json)).toEqual(identity(made.json))
          const back = await sendRequest(testServer({ release: before, storage }), {
            path: collectionOf(old) + name,
          })
          expect(settled(back.json)).toEqual(settled(made.json))
        })
      }
    }
    if (row.replacements.length === 0) {
      it('has no replacement: no version of the kind is left', () => {
        for (const kind of row.kinds)
          expect(servedVersions(row.release).some((served) => served.kind === kind)).toBe(false)
      })
    }
  })
}
