/** Running what a person has written in the page. */
import type { Page } from 'playwright-core'

/** Opens a sample, puts the text into its editor and runs it. */
export async function runScript(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /Search/ }).fill('list namespaces')
  await page
    .getByRole('option', { name: /List namespaces/i })
    .first()
    .click()
  const button = page.getByRole('button', { name: 'Run', exact: true })
  // The editor loads when it is first needed.
  await button.waitFor({ timeout: 60_000 })
  await page.locator('.monaco-editor .view-lines').first().click()
  await page.keyboard.press('Control+a')
  // As typed text it would be completed and indented.
  await page.keyboard.insertText(text)
  await button.click()
}

/** Where the webhook of `keepProbe` is called. */
const PROBE = 'https://hooks.example.com/probe'

/**
 * Saves one webhook with this code through the API of the page, not its forms. @returns the
 * engine's response
 */
export const keepProbe = (page: Page, source: string): Promise<unknown> =>
  page.evaluate(
    (handlers) =>
      new Promise<unknown>((resolve) => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = ({ data }) => resolve(data)
        const request = { kind: 'configure', request: { handlers } }
        navigator.serviceWorker.controller?.postMessage(
          { mark: 'kubetab-channel', kind: 'request', workspace: '', request },
          [port2],
        )
      }),
    [{ name: 'probe', address: PROBE, source, code: source }],
  )

/** A webhook configuration for new ConfigMaps of the default namespace. */
export const probeConfiguration = (timeoutSeconds: number) => ({
  metadata: { name: 'probe' },
  webhooks: [
    {
      name: 'probe.example.com',
      clientConfig: { url: PROBE },
      rules: [
        { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
      ],
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'default' } },
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      timeoutSeconds,
    },
  ],
})
