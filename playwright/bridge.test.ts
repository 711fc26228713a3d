/** Local programs reach the cluster in the open tab: they read, write, watch, and get errors. */
import http from 'node:http'
import { expect, it } from 'vitest'
import { storyBrowser } from './harness'

const { open } = storyBrowser()

interface Reply {
  status: number
  headers: http.IncomingHttpHeaders
  text: string
}

function send(
  method: string,
  url: string,
  { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = {
      authorization: 'Bearer admin-token',
      'user-agent': 'terminal/1.0',
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...headers,
    }
    const request = http.request(url, { method, headers: sent }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
      })
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      )
    })
    request.on('error', reject)
    request.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

it('forwards a terminal’s requests to the tab and returns its responses', async () => {
  const { page, url } = await open({ width: 1440, height: 900 })
  await page.getByText('kubectl can connect to this tab').waitFor()
  const configMaps = `${url}api/v1/namespaces/default/configmaps`

  const created = await send('POST', configMaps, {
    body: { metadata: { name: 'from-outside' }, data: { a: 'ä'.repeat(1000) } },
  })
  expect(created.status).toBe(201)
  expect(JSON.parse(created.text).metadata.managedFields[0].manager).toBe('terminal')
  await page.getByRole('treeitem', { name: /ConfigMaps/ }).click()
  await page.getByRole('treeitem', { name: 'from-outside default' }).waitFor()
  expect(JSON.parse((await send('GET', `${configMaps}/from-outside`)).text).data.a).toBe(
    'ä'.repeat(1000),
  )
  expect((await send('GET', `${configMaps}/missing`)).status).toBe(404)
  expect(
    (await send('GET', configMaps, { headers: { authorization: 'Bearer wrong' } })).status,
  ).toBe(401)
})

it('rejects an oversized body, and survives a client that disconnects while it sends', async () => {
  const { page, url } = await open({ width: 1440, height: 900 })
  await page.getByText('kubectl can connect to this tab').waitFor()
  const configMaps = `${url}api/v1/namespaces/default/configmaps`
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const request = http.request(
      configMaps,
      { method: 'POST', headers: { 'content-type': 'application/json' } },
      (response) => {
        resolve(response.statusCode)
        request.destroy()
      },
    )
    request.on('error', reject)
    request.end(Buffer.alloc(6 * 1024 * 1024, ' '))
  })
  expect(status).toBe(413)

  await new Promise<void>((resolve) => {
    const request = http.request(configMaps, {
      method: 'POST',
      headers: { 'content-length': '1000' },
    })
    request.on('error', () => undefined).on('close', () => resolve())
    request.write('{', () => request.destroy())
  })
  expect((await send('GET', configMaps)).status).toBe(200)
})

it('streams a watch, and ends it in the engine when the terminal goes', async () => {
  const { page, url } = await open({ width: 1440, height: 900 })
  await page.getByText('kubectl can connect to this tab').waitFor()
  const seen = await new Promise<object>((resolve, reject) => {
    const watch = http.get(`${url}api/v1/namespaces?watch=1&allowWatchBookmarks=true`, {
      headers: { authorization: 'Bearer admin-token' },
    })
    watch.on('error', reject)
    watch.on('response', (response) => {
      // A chunk can end anywhere, and can contain several events.
      let text = ''
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
        const line = text
          .split('\n')
          .slice(0, -1)
          .find((one) => one.includes('"name":"watched"'))
        if (line === undefined) return
        resolve(JSON.parse(line))
        watch.destroy()
      })
      void send('POST', `${url}api/v1/namespaces`, { body: { metadata: { name: 'watched' } } })
    })
    watch.on('close', () => undefined)
  })
  expect(seen).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'watched' } } })
})

it('rejects other sites, and reports when no tab is open', async () => {
  const { page, url } = await open({ width: 800, height: 600 })
  await page.waitForFunction(() => document.body.textContent?.includes('revision'))
  const path = `${url}api/v1/namespaces`
  expect((await send('GET', path, { headers: { origin: 'https://evil.example' } })).status).toBe(
    403,
  )
  expect((await send('GET', path, { headers: { host: 'evil.example' } })).status).toBe(403)
  expect((await send('GET', path, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(
    403,
  )
  expect(
    (await send('GET', `${url}bridge`, { headers: { origin: 'https://evil.example' } })).status,
  ).toBe(403)
  await page.close()
  // The server notices a closed tab after a moment.
  const message = async () => JSON.parse((await send('GET', path)).text).message
  await expect.poll(message).toBe('no tab of the page is open: the cluster lives in it')
  expect((await send('GET', path)).status).toBe(503)
})
