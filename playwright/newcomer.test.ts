/**
 * A first visit: the page opens, the first lesson is done, and the result is shared. Durations are
 * printed, not checked.
 */
import { expect, it } from 'vitest'
import { storyBrowser } from './harness'

const { open } = storyBrowser()

/** Later than this something hangs. */
const HANGS = 300_000

it('opens the page, takes the first lesson and shares it', { timeout: HANGS }, async () => {
  const begun = performance.now()
  const times: string[] = []
  const mark = (what: string) =>
    times.push(`${what} ${((performance.now() - begun) / 1000).toFixed(1)} s`)

  const { page, context } = await open({ width: 1440, height: 900 })
  context.setDefaultTimeout(HANGS / 3)
  const lessons = page.getByRole('button', { name: /Start a lesson/ })
  await lessons.waitFor()
  mark('words and ways in')
  await page.getByRole('treeitem', { name: /^Namespaces \d/ }).waitFor()
  mark('the server runs')

  await lessons.click()
  await page.getByRole('button', { name: /API paths/ }).click()
  const lesson = page.getByRole('complementary', { name: 'Lesson: API paths' })
  await lesson.getByText('0 of 5').waitFor()
  await lesson.getByRole('listitem').filter({ hasText: 'Discover API groups' }).waitFor()
  mark('the first lesson is there')
  for (let done = 1; done <= 5; done++) {
    for (const strength of ['Hint', 'Next hint', 'Next hint'])
      await lesson.getByRole('button', { name: strength }).click()
    await lesson.getByRole('button', { name: 'Show solution' }).click()
    await lesson.getByText(`${done} of 5`).waitFor()
    if (done === 1) mark('its first step is done')
  }
  await lesson.getByText('Done!').waitFor()
  await lesson.getByRole('button', { name: /^Next:/ }).waitFor()
  mark('it is finished')

  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const link = await page.getByRole('textbox', { name: 'Link' }).inputValue()
  expect(link).toMatch(/#k\d+=/)
  mark('the link is made')

  const other = await open({ width: 360, height: 740, at: `#${link.split('#')[1]}` })
  other.context.setDefaultTimeout(HANGS / 3)
  await other.page
    .getByRole('dialog')
    .getByRole('button', { name: /new workspace/i })
    .click()
  await other.page.waitForURL(/\?workspace=shared/)
  const deployment = () =>
    other.page.evaluate(async () => {
      const path = '~shared/apis/apps/v1/namespaces/shop/deployments/web'
      return (await fetch(path, { headers: { authorization: 'Bearer admin-token' } })).status
    })
  await expect.poll(deployment, { timeout: HANGS / 3 }).toBe(200)
  mark('the recipient has it')
  console.log(`A newcomer: ${times.join(', ')}.`)
})
