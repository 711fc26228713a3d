/** Tests that compare a server of one release with one of another. */
import { expect, it } from 'vitest'
import type { JsonObject } from '../../../src/engine/core/object'
import type { Release } from '../../../src/engine/releases'
import { createMemoryStorage } from '../../../src/engine/storage/memory'
import { sendRequest, type TestResponse, testServer } from '../../support/server'
import { sampleOf } from '../samples'

/** A server of one release and of another one on the same data. */
export function moving(from: Release, to: Release) {
  const storage = createMemoryStorage()
  const [old, young] = [
    testServer({ release: from, storage }),
    testServer({ release: to, storage }),
  ]
  const write =
    (server: typeof old) =>
    (path: string, body: object, method = 'POST') =>
      sendRequest(server, { method, path, body })
  return {
    writeOld: write(old),
    writeNew: write(young),
    readOld: (path: string) => sendRequest(old, { path }),
    readNew: (path: string) => sendRequest(young, { path }),
  }
}

export const sample = (apiVersion: string, kind: string, members: JsonObject = {}) => ({
  ...sampleOf(apiVersion, kind),
  ...members,
})
export const causesOf = ({ json }: TestResponse): string[] =>
  (json.details?.causes as { field: string }[] | undefined)?.map(({ field }) => field) ?? []

/** The tested changes, so that none is missing. */
export const reported: string[] = []
export function change(row: string, name: string, test: () => Promise<void>): void {
  reported.push(`${row}: ${name}`)
  it(`${row}: ${name}`, test)
}

/** Waits until both servers know a new resource. */
export async function established(...reads: (() => Promise<TestResponse>)[]): Promise<void> {
  for (const read of reads) await expect.poll(async () => (await read()).status).toBe(200)
}
