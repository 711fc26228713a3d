/**
 * An author writes a lesson next to its preview, checks it, tries it, and shares it by a link that
 * runs nothing.
 */
import { expect, it } from 'vitest'
import { encodeLesson } from '../src/app/features/lessons/link'
import { TEMPLATE } from '../src/app/features/lessons/template'
import { storyBrowser } from './harness'

const { open } = storyBrowser()

/** Nothing here asserts a time: later than this something hangs. */
const HANGS = 240_000

it('is written, checked, tried and shared', { timeout: HANGS }, async () => {
  const { page, context, screenshot } = await open({ width: 1440, height: 900 })
  context.setDefaultTimeout(HANGS / 3)
  await page.getByRole('button', { name: 'Lessons', exact: true }).click()
  await page.getByRole('button', { name: 'Write a lesson' }).click()
  await page.getByText('Parsed.').waitFor()

  // A mistake is reported with its position.
  const editor = page.getByRole('textbox', { name: /Lesson source/ })
  await page.locator('.author-editor .monaco-editor').waitFor()
  await page.getByText('minutes').first().click()
  await page.keyboard.press('End')
  await page.keyboard.type('0')
  await page.getByRole('status').getByText('minutes: 1 to 10').waitFor()
  await screenshot('lesson author mistake')
  expect(await page.getByRole('button', { name: 'Try it' }).isDisabled()).toBe(true)
  expect(await page.getByRole('status').textContent()).toMatch(/^5:10 minutes/)
  await page.keyboard.press('Backspace')
  await page.getByText('Parsed.').waitFor()
  expect(await editor.count()).toBeGreaterThan(0)

  await page.getByRole('button', { name: 'Check' }).click()
  await page
    .getByText(
      "Valid: starts incomplete, the solution completes each step, the wrong solution doesn't.",
    )
    .waitFor()
  await screenshot('lesson author')

  await page.getByRole('button', { name: 'Try it' }).click()
  const lesson = page.getByRole('complementary', { name: 'Lesson: Two are enough' })
  await lesson.getByText('0 of 1').waitFor()
  expect(page.url()).toContain('?workspace=try-two-are-enough')
  for (const strength of ['Hint', 'Next hint', 'Next hint'])
    await lesson.getByRole('button', { name: strength }).click()
  expect(await lesson.getByText('kubectl scale').count()).toBe(1)
  await lesson.getByRole('button', { name: 'Show solution' }).click()
  await lesson.getByText('Done!').waitFor()
  await lesson.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('status').getByText('Parsed.').waitFor()
  await lesson.getByRole('button', { name: 'All lessons' }).click()
  await page.getByRole('button', { name: /Two are enough.*try-two-are-enough/ }).waitFor()
})

it('comes by a link, and nothing of it runs before one begins', { timeout: HANGS }, async () => {
  const { page, url, context } = await open({
    width: 820,
    height: 1000,
    at: `#${encodeLesson(TEMPLATE)}`,
  })
  context.setDefaultTimeout(HANGS / 3)
  const question = page.getByRole('dialog', { name: 'Start the lesson “Two are enough”?' })
  await question.waitFor()
  expect(
    await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name)),
  ).toEqual(['kubetab'])
  await question.getByRole('button', { name: 'Start' }).click()
  await page
    .getByRole('complementary', { name: 'Lesson: Two are enough' })
    .getByText('0 of 1')
    .waitFor()
  expect(page.url()).not.toContain('#')

  // A damaged link is reported, and its text can be inspected.
  const other = await context.newPage()
  await other.goto(
    `${url}#${encodeLesson(TEMPLATE.replace('/api/v1/namespaces/shop/pods', '/../x'))}`,
  )
  const broken = other.getByRole('dialog', { name: 'The shared lesson cannot be started' })
  await broken.getByText(/wrong\[0\]\.path: a path of the API is needed/).waitFor()
  await broken.getByRole('button', { name: 'Show source' }).click()
  await other.getByRole('status').getByText('a path of the API is needed').waitFor()
  expect(await other.getByRole('button', { name: 'Try it' }).isDisabled()).toBe(true)
})

it.each([
  { width: 820, height: 1180, theme: 'dark' },
  { width: 360, height: 740, theme: 'light' },
] as const)('can be written at $width, $theme', async ({ width, height, theme }) => {
  const { page, screenshot } = await open({
    width,
    height,
    theme,
    at: '?workspace=lesson-undeletable',
  })
  await page.getByText('For instructors').click()
  await page.getByRole('button', { name: 'Use as template' }).click()
  await page.getByText('Parsed.').waitFor()
  await screenshot(`lesson author ${width} ${theme}`)
  // On a tablet, as on a phone, a lesson and the editor share one pane.
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByRole('heading', { name: 'Wrong solution' }).waitFor()
  await screenshot(`lesson author reading ${width} ${theme}`)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
})
