/** The headless server is started in several ways; what is measured of it holds for all of them. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { NODE_FLAGS } from '../../scripts/bundle-host'

it.each([
  [
    'npm run serve',
    () =>
      (JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { serve: string } }).scripts
        .serve,
  ],
  ['the container', () => /^ENTRYPOINT (.*)$/m.exec(readFileSync('Dockerfile', 'utf8'))?.[1] ?? ''],
])('%s starts Node as the bench does', (_name, started) => {
  for (const flag of NODE_FLAGS) expect(started()).toContain(flag)
})
