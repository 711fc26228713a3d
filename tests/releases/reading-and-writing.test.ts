/**
 * Writing back an object read through a removed version changes nothing; all formats have the same
 * content.
 */
import { expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import type { JsonObject } from '../../src/engine/core/object'
import { decodeProtobuf, encodeProtobuf } from '../../src/engine/encoding/protobuf/codec'
import { rowsOfTable } from '../../src/engine/releases'
import { sendRequest, testServer } from '../support/server'
import { collectionOf, releaseBefore, removedKinds } from './row-state'
import { REVIEW_KINDS, sampleOf } from './samples'

const PROTOBUF = 'application/vnd.kubernetes.protobuf'

for (const row of rowsOfTable()) {
  for (const old of removedKinds(row).filter(({ kind }) => !REVIEW_KINDS.includes(kind))) {
    it(`${row.name}: ${old.apiVersion} ${old.kind}`, async () => {
      const server = testServer({ release: releaseBefore(row) })
      const sample = sampleOf(old.apiVersion, old.kind)
      const made = await sendRequest(server, {
        method: 'POST',
        path: collectionOf(old),
        body: sample,
      })
      expect(made.status, made.text).toBe(201)
      const path = `${collectionOf(old)}/${sample.metadata.name}`
      // Controllers of the server itself may have a word first.
      await new Promise((resolve) => setTimeout(resolve, 5))
      const read = (await sendRequest(server, { path })).json as JsonObject & {
        metadata: { resourceVersion: string }
      }
      const yaml = await sendRequest(server, { path, headers: { accept: 'application/yaml' } })
      expect(parseYaml(yaml.text)).toEqual(read)
      const binary = await server.fetch(
        new Request(`http://server${path}`, {
          headers: { authorization: 'Bearer admin', accept: PROTOBUF },
        }),
      )
      const { object } = decodeProtobuf(new Uint8Array(await binary.arrayBuffer()))
      expect(JSON.parse(JSON.stringify(object))).toEqual(read)
      for (const body of [JSON.stringify(read), encodeProtobuf(read)]) {
        const headers = {
          authorization: 'Bearer admin',
          'content-type': typeof body === 'string' ? 'application/json' : PROTOBUF,
        }
        const response = await server.fetch(
          new Request(`http://server${path}`, { method: 'PUT', headers, body: body as BodyInit }),
        )
        const written = (await response.json()) as typeof read
        expect(written.metadata?.resourceVersion, JSON.stringify(written)).toBe(
          read.metadata.resourceVersion,
        )
      }
    })
  }
}
