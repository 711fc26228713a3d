/** Texts in the page's editor, read and written as a person does: by what is on the screen, and by the keyboard. */
import type { Locator, Page } from 'playwright-core'

/** @param label what the editor is of */
export const editorOf = (page: Page, label: string): Locator =>
  page.locator('.text-editor').filter({ has: page.getByRole('textbox', { name: label }) })

/** The lines on the screen, which are not in their order in the document. */
export const textIn = (editor: Locator): Promise<string> =>
  editor.locator('.view-line').evaluateAll((lines) =>
    lines
      .map((line) => ({
        top: Number.parseFloat((line as HTMLElement).style.top),
        text: line.textContent ?? '',
      }))
      .sort((a, b) => a.top - b.top)
      .map(({ text }) => text.replaceAll('\u00a0', ' '))
      .join('\n'),
  )

/** Another text in the place of the whole. */
export async function retype(editor: Locator, text: string): Promise<void> {
  const { keyboard } = editor.page()
  await editor.locator('.view-line').first().waitFor()
  await editor.getByRole('textbox').focus()
  await keyboard.press('Control+a')
  await keyboard.press('Delete')
  if (text !== '') await keyboard.insertText(text)
}
