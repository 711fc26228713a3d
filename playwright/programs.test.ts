/** Programs reach the server too: from the console, from a script in the page, and as a client that lists and then watches. */
import { expect, it } from 'vitest'
import { choose, running, storyBrowser } from './harness'

const { open } = storyBrowser()

it('serves fetch from the page’s console, below its own path and at the root', async () => {
  const { page, url } = await open({ width: 1200, height: 800 })
  await running(page)
  const names = await page.evaluate(async () => {
    const list = await (
      await fetch('/api/v1/namespaces', { headers: { Authorization: 'Bearer admin-token' } })
    ).json()
    return list.items.map((item: { metadata: { name: string } }) => item.metadata.name)
  })
  expect(names).toEqual(['default', 'kube-node-lease', 'kube-public', 'kube-system'])
  const status = await page.evaluate(
    async (path) => (await fetch(path)).status,
    `${new URL(url).pathname}version`,
  )
  expect(status).toBe(200)
})

it('lets a client list, watch and stop watching', async () => {
  const { page } = await open({ width: 1200, height: 800 })
  await running(page)
  const events = await page.evaluate(async () => {
    const headers = { Authorization: 'Bearer admin-token', 'Content-Type': 'application/json' }
    const path = '/api/v1/namespaces/default/configmaps'
    const list = await (await fetch(path, { headers })).json()
    // The controllers may be making an object of their own.
    const seen = `${path}?watch=1&fieldSelector=metadata.name%3Dseen`
    const stream = await fetch(`${seen}&resourceVersion=${list.metadata.resourceVersion}`, {
      headers,
    })
    const reader = (stream.body as ReadableStream<Uint8Array<ArrayBuffer>>)
      .pipeThrough(new TextDecoderStream())
      .getReader()
    await fetch(path, {
      method: 'POST',
      headers,
      body: JSON.stringify({ metadata: { name: 'seen' } }),
    })
    await fetch(`${path}/seen`, { method: 'DELETE', headers })
    let text = ''
    while (text.split('\n').length < 3) text += (await reader.read()).value ?? ''
    await reader.cancel()
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).type)
  })
  expect(events).toEqual(['ADDED', 'DELETED'])
})

it('runs a script in the page and prints what it prints', async () => {
  const { page, screenshot } = await open({ width: 1440, height: 900 })
  await running(page)
  await choose(page, 'list namespaces')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  const output = page.getByRole('log', { name: 'Script output' })
  await output.getByText('kube-system').waitFor({ timeout: 20_000 })
  expect(await output.textContent()).toContain('default')
  await screenshot('a script has run')
})
