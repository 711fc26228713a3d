/** The console is a client of the same minor release as the server. */
import { afterAll, describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../src/engine/core/environment'
import { loadTables } from '../../src/engine/release-tables/load-tables'
import { identityOf, type Release } from '../../src/engine/releases/release'
import type { ApiServer } from '../../src/engine/server/server'
import { testServer } from '../support/server'
import { testConsole } from './support'

const servers: ApiServer[] = []
afterAll(() => Promise.all(servers.map((server) => server.close())))

async function consoleOf(release: Release) {
  await loadTables(release)
  const clock = new SimulatedClock()
  const server = testServer({ clock, release })
  servers.push(server)
  return testConsole(server, clock)
}

describe('the version of the client', () => {
  it.each(['1.31', '1.34', '1.37'] as const)(
    'is that of a server of release %s',
    async (release) => {
      const { run } = await consoleOf(release)
      const { git, minor } = identityOf(release)
      expect((await run('kubectl version')).stdout).toBe(
        `Client Version: ${git}\nServer Version: ${git}\n`,
      )
      expect((await run('kubectl version --client')).stdout).toBe(`Client Version: ${git}\n`)
      const { clientVersion } = JSON.parse((await run('kubectl version -o json')).stdout)
      expect(clientVersion).toMatchObject({ major: '1', minor, gitVersion: git })
    },
  )
})

describe('objects that no server has seen', () => {
  const line = 'kubectl create deployment web --image=nginx --dry-run=client -o yaml'
  const local = 'kubectl set image -f web.yaml nginx=nginx:2 --local -o yaml'

  it('have unset times in release 1.31', async () => {
    const { run, files } = await consoleOf('1.31')
    const { stdout } = await run(line)
    expect(stdout.match(/creationTimestamp: null/g)).toHaveLength(2)
    files.set('web.yaml', stdout)
    expect((await run(local)).stdout).toContain('creationTimestamp: null')
  })

  it('have none in release 1.37', async () => {
    const { run, files } = await consoleOf('1.37')
    const { stdout } = await run(line)
    expect(stdout).toContain('kind: Deployment')
    expect(stdout).not.toContain('creationTimestamp')
    files.set('web.yaml', stdout)
    const { stdout: changed } = await run(local)
    expect(changed).toContain('image: nginx:2')
    expect(changed).not.toContain('creationTimestamp')
  })
})
