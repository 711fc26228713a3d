/** Real keys in a second browser, where the editor types into a text area: whole manifests, Enter, and the first definition. */
import type { KeyInput } from 'puppeteer-core'
import { expect, it } from 'vitest'
import { DEFINITION_AND_OBJECT, DEPLOYMENT, type Keyboard, typeText } from '../typed-manifests'
import { firefoxStory } from './browser'

const { page: opened, errors } = firefoxStory()

const keyboard: Keyboard = {
  async press(keys) {
    const [key = '', modifier] = keys.split('+').reverse()
    if (modifier !== undefined) await opened().keyboard.down(modifier as KeyInput)
    await opened().keyboard.press(key as KeyInput)
    if (modifier !== undefined) await opened().keyboard.up(modifier as KeyInput)
  },
  type: (text) => opened().keyboard.type(text),
}

const shows = (wanted: string) =>
  opened().waitForFunction(
    (part) => document.body.textContent?.includes(part),
    { timeout: 20_000 },
    wanted,
  )

/** Replaces the text of the open file by what is typed. */
async function retype(text: string): Promise<void> {
  await opened().locator('.editor-host .view-line').click()
  await keyboard.press('Control+a')
  await keyboard.press('Delete')
  await typeText(keyboard, text)
}

const object = (path: string) =>
  opened().evaluate(
    async (at) => (await fetch(at, { headers: { Authorization: 'Bearer admin-token' } })).json(),
    path,
  ) as Promise<{
    metadata?: { name?: string; annotations?: Record<string, string> }
    spec?: { template?: { spec?: { containers?: { image?: string; imagePullPolicy?: string }[] } } }
  }>

it('types a whole manifest key by key and applies it', async () => {
  await shows('Server: service worker')
  await opened().locator('.monaco-editor .view-line').wait()
  await retype(DEPLOYMENT)
  await keyboard.press('Control+Enter')
  await shows('deployment.apps/typed')
  const { metadata, spec } = await object('apis/apps/v1/namespaces/default/deployments/typed')
  expect(metadata?.annotations?.['example.com/docs']).toBe('https://example.com/a?b=c//d')
  expect(spec?.template?.spec?.containers?.[0]).toMatchObject({
    image: 'library/nginx:1.27',
    imagePullPolicy: 'IfNotPresent',
  })
})

it('types a definition and an object of its kind, and both are stored', async () => {
  await retype(DEFINITION_AND_OBJECT)
  await keyboard.press('Control+Enter')
  await shows('backup.example.com/nightly')
  const { metadata } = await object('apis/example.com/v1/namespaces/default/backups/nightly')
  expect(metadata?.name).toBe('nightly')
  await shows('Backups')
  expect(errors).toEqual([])
})
