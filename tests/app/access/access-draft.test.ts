/** The form of the access settings: what is set comes back as it was, and only files that are named are read. */
import { beforeAll, describe, expect, it } from 'vitest'
import {
  draftOf,
  FILES,
  filesNamed,
  SAMPLES,
  settingsOf,
} from '../../../src/app/features/access/access-draft'
import { loadTables } from '../../../src/engine/release-tables/load-tables'
import { DEFAULT_RELEASE } from '../../../src/engine/releases/release'
import { createApiServer } from '../../../src/engine/server/server'
import { createMemoryStorage } from '../../../src/engine/storage/memory'
import { accessOptionsOf, FIRST_ACCESS } from '../../../src/hosts/shared/access-settings'
import { consoleLog, systemClock, systemRandom } from '../../../src/hosts/shared/environment'

beforeAll(() => loadTables(DEFAULT_RELEASE))

const first = draftOf(FIRST_ACCESS)

/** Whether a server can be made of it. */
async function start(draft: typeof first): Promise<void> {
  const parts = {
    clock: systemClock,
    random: systemRandom,
    log: consoleLog,
    storage: createMemoryStorage(),
  }
  await createApiServer({ ...accessOptionsOf(settingsOf(draft)), ...parts }).close()
}

describe('a draft', () => {
  it.each([
    [first],
    [{ ...first, by: 'file' as const }],
    [{ ...first, modes: 'ABAC,RBAC', anonymous: 'no' as const }],
    [
      {
        ...first,
        files: { ...first.files, authentication: SAMPLES.authentication },
        keySets: { 'https://issuer.example': '{"keys": []}' },
      },
    ],
    [
      {
        ...first,
        modes: 'Node,RBAC,Webhook',
        files: { ...first.files, tokens: 'dave-token,dave,u-dave,"developers"\n' },
      },
    ],
  ])('comes back from the settings that it makes, and a server starts with them', async (draft) => {
    expect(draftOf(settingsOf(draft))).toEqual(draft)
    await expect(start(draft)).resolves.toBeUndefined()
  })

  it('names the files that its modes or its configuration read', () => {
    expect(filesNamed(first)).toEqual([])
    expect(filesNamed({ ...first, modes: 'ABAC,Webhook' })).toEqual(['policy', 'webhook'])
    expect(filesNamed({ ...first, by: 'file' })).toEqual(['configuration'])
    const configuration = `${first.files.configuration}  - {type: Webhook, name: w}\n`
    expect(filesNamed({ ...first, by: 'file', files: { ...first.files, configuration } })).toEqual([
      'configuration',
      'webhook',
    ])
  })

  it('that is invalid is rejected with the server’s message', async () => {
    await expect(start({ ...first, modes: 'RBAC,RBAC' })).rejects.toThrow(
      'has mode specified more than once',
    )
    const files = { ...first.files, configuration: 'kind: Nonsense\n' }
    await expect(start({ ...first, by: 'file', files })).rejects.toThrow(
      'failed to load AuthorizationConfiguration from file',
    )
  })

  it('keeps keys of the issuers that its configuration names, and of no others', () => {
    const files = { ...first.files, authentication: SAMPLES.authentication }
    const keySets = { 'https://issuer.example': '{}', 'https://other.example': '{}' }
    expect(settingsOf({ ...first, files, keySets }).keySets).toEqual({
      'https://issuer.example': '{}',
    })
  })

  it('without tokens names no token file', () => {
    expect(settingsOf(first).tokenFile).toBe('')
    expect(settingsOf({ ...first, files: { ...first.files, tokens: 'a,b,c\n' } }).tokenFile).toBe(
      FILES.tokens,
    )
  })
})
