/** A full disk: stored data remains readable and correct, and writes resume when there is space. */
import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sendIn } from '../tests/durability/browser-history'
import { faultOfRejection, type TestResponse } from '../tests/durability/exchange'
import { startBrowser } from './host-browser'
import { startHostSite } from './host-site'

const MAPS = '/api/v1/namespaces/default/configmaps'
const LARGE = 900_000
/** Free bytes for the browser: room for some of the large objects. */
const ROOM = 6_000_000

/** The database packs what it stores: room is taken by what looks random. */
const incompressible = (length: number): string =>
  randomBytes(length).toString('base64').slice(0, length)

/** Mounts a small disk, which requires root. @returns whether it is mounted */
const mountAt = (folder: string): boolean =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=80m', 'tmpfs', folder]).status === 0
const unmount = (folder: string) => execFileSync('umount', ['-l', folder])

function mayMount(): boolean {
  if (process.platform !== 'linux') return false
  const folder = mkdtempSync(join(tmpdir(), 'kubetab-mount-'))
  const may = mountAt(folder)
  if (may) unmount(folder)
  rmSync(folder, { recursive: true })
  return may
}

it.runIf(mayMount())(
  'a full disk fails writes with a Status, loses no acknowledged write, and recovers when there is space',
  async () => {
    const site = await startHostSite()
    const profile = mkdtempSync(join(tmpdir(), 'kubetab-full-'))
    mountAt(profile)
    const filler = join(profile, 'filler')
    const browser = await startBrowser(profile)
    try {
      const page = await browser.context.newPage()
      await page.goto(site.url)
      const create = (name: string, size: number): Promise<TestResponse> => {
        const body = {
          metadata: { name, labels: { made: 'here' } },
          data: { text: incompressible(size) },
        }
        return sendIn(page, { method: 'POST', path: MAPS, body })
      }
      const names = async () => {
        const { code, object, text } = await sendIn(page, { path: `${MAPS}?labelSelector=made` })
        expect(code, text).toBe(200)
        return object.items?.map(({ metadata }) => metadata.name)
      }
      expect((await create('before', 10)).code).toBe(201)
      const { bavail, bsize } = statfsSync(profile)
      writeFileSync(filler, Buffer.alloc(bavail * bsize - ROOM))
      const made = ['before']
      let rejected: TestResponse | undefined
      for (let i = 10; i < 30 && rejected === undefined; i++) {
        const response = await create(`large-${i}`, LARGE)
        if (response.code === 201) made.push(`large-${i}`)
        else rejected = response
      }
      expect(rejected && [rejected.code, faultOfRejection(rejected)]).toEqual([500, undefined])
      expect(made.length).toBeGreaterThan(2)
      expect(await names()).toEqual(made)
      await page.reload()
      expect(await names()).toEqual(made)
      // A deletion needs little space: it either succeeds, or fails and the object remains.
      const deleted = await sendIn(page, { method: 'DELETE', path: `${MAPS}/large-10` })
      expect(faultOfRejection(deleted)).toBeUndefined()
      const left = deleted.code === 200 ? made.filter((name) => name !== 'large-10') : made
      rmSync(filler)
      await expect.poll(async () => (await create('after', 10)).code).toBe(201)
      await page.reload()
      expect(await names()).toEqual(['after', ...left])
    } finally {
      await browser.kill()
      await site.close()
      unmount(profile)
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    }
  },
)
