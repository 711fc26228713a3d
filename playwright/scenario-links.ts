import type { Page } from 'playwright-core'

export const SIZE = { width: 1440, height: 900 }

export async function linkOf(page: Page): Promise<string> {
  return page.getByRole('textbox', { name: 'Link' }).inputValue()
}

export const follow = (page: Page, hash: string) =>
  page.evaluate((to) => location.assign(`#${to}`), hash)

export async function openInNewWorkspace(page: Page, workspace = 'shared'): Promise<void> {
  const question = page.getByRole('dialog', { name: 'Open the shared scenario?' })
  await question.waitFor()
  await question.getByRole('button', { name: 'Open in a new workspace' }).click()
  await page.waitForURL(new RegExp(`workspace=${workspace}$`))
  await page.getByText('The shared scenario is open').waitFor()
}

export const send = (
  page: Page,
  method: string,
  path: string,
  body?: object,
  type = 'application/json',
) =>
  page.evaluate(
    async ([method, path, body, type]) =>
      (
        await fetch(path, {
          method,
          headers: { Authorization: 'Bearer admin-token', 'Content-Type': type },
          ...(body ? { body } : {}),
        })
      ).status,
    [method, path, body && JSON.stringify(body), type] as const,
  )
