/**
 * The first lesson: started from the welcome view, one step by hand, a hint, the rest played,
 * finished, and recorded as done.
 */
import { expect, it } from 'vitest'
import { LESSONS } from '../src/lessons/catalog'
import { storyBrowser } from './harness'

const { open } = storyBrowser()

it('is taken from the welcome to its end', { timeout: 240_000 }, async () => {
  const { page, screenshot } = await open({ width: 1440, height: 900 })
  await page.getByRole('button', { name: /Start a lesson/ }).click()
  await page.getByText(`0 of ${LESSONS.length} finished`).waitFor()
  await screenshot('lessons')
  await page.getByRole('button', { name: /Lost updates/ }).click()
  const lesson = page.getByRole('complementary', { name: 'Lesson: Lost updates' })
  await lesson.getByRole('heading', { name: /Raise the price of tea/ }).waitFor()
  await page.getByRole('tab', { name: /bob\.yaml/ }).waitFor()

  // By a program, as a learner may: what counts is what came of it.
  await page.evaluate(async () => {
    await fetch('~lesson-lost-update/api/v1/namespaces/shop/configmaps/prices', {
      method: 'PATCH',
      headers: {
        authorization: 'Bearer admin-token',
        'content-type': 'application/merge-patch+json',
      },
      body: '{"data":{"tea":"3"}}',
    })
  })
  await lesson.getByText('1 of 4').waitFor()
  await lesson.getByRole('button', { name: 'Hint' }).click()
  await screenshot('lesson step')
  for (const done of [2, 3, 4]) {
    for (let strength = 0; strength < 3; strength++) {
      const hint = lesson.getByRole('button', { name: /hint/i })
      if ((await hint.count()) > 0) await hint.click()
    }
    await lesson.getByRole('button', { name: 'Show solution' }).click()
    await lesson.getByText(`${done} of 4`).waitFor()
  }
  await lesson.getByText('Done!').waitFor()
  await screenshot('lesson done')

  await lesson.getByRole('button', { name: 'Exit' }).click()
  await page.getByRole('button', { name: 'Lessons', exact: true }).click()
  await page.getByText(`1 of ${LESSONS.length} finished`).waitFor()
})

it('has predictions, which the server decides, and counts a click as reading', {
  timeout: 180_000,
}, async () => {
  const { page, screenshot } = await open({
    width: 1440,
    height: 900,
    at: '?workspace=lesson-who-made-these-pods',
  })
  const lesson = page.getByRole('complementary', { name: 'Lesson: Who made these Pods?' })
  await lesson.getByRole('button', { name: 'The Deployment web.' }).click()
  await lesson.getByText('Not quite.').waitFor()
  await lesson.getByText('The server responded with 200.').waitFor()
  await screenshot('prediction')
  await lesson.getByRole('button', { name: 'Continue' }).click()
  await lesson.getByText('1 of 4').waitFor()

  await lesson.getByText('You read the ReplicaSet.').waitFor()
  await page
    .getByRole('treeitem', { name: /^web-\w+ .*shop|^web-\w+$/ })
    .last()
    .click()
  await lesson.getByText('2 of 4').waitFor()
  await lesson.getByRole('button', { name: /^The request is accepted/ }).click()
  await lesson.getByText('Right.').waitFor()
  await page.reload()
  await lesson.getByText('Right.').waitFor()
  await lesson.getByRole('button', { name: 'Continue' }).click()
  await lesson.getByText('3 of 4').waitFor()
})

it('opens its files under their own names, in the place of the sample', async () => {
  const { page } = await open({
    width: 1280,
    height: 800,
    at: '?workspace=lesson-who-owns-replicas',
  })
  await page.getByRole('tab', { name: 'robot.yaml' }).waitFor()
  await page.getByRole('tab', { name: 'web.yaml', exact: true }).waitFor()
  expect(await page.getByRole('tab', { name: /\.yaml$/ }).count()).toBe(2)
})

it('whose restart was interrupted by closing the page restarts in every tab', {
  timeout: 180_000,
}, async () => {
  const { page, context, url } = await open({
    width: 1280,
    height: 800,
    at: '?workspace=lesson-lost-update',
  })
  const lesson = page.getByRole('complementary', { name: 'Lesson: Lost updates' })
  await lesson.getByRole('heading', { name: /Raise the price of tea/ }).waitFor()
  for (let strength = 0; strength < 3; strength++)
    await lesson.getByRole('button', { name: /hint/i }).click()
  await lesson.getByRole('button', { name: 'Show solution' }).click()
  await lesson.getByText('1 of 4').waitFor()

  const other = await context.newPage()
  await other.goto(`${url}?workspace=lesson-lost-update`)
  await other.getByText('1 of 4').waitFor()
  await page.evaluate(() => {
    localStorage.setItem('kubetab.~lesson-lost-update.lesson-begun', 'false')
    localStorage.setItem('kubetab.~lesson-lost-update.lesson-done', '0')
  })
  await other.getByText('0 of 4').waitFor()
  await page.reload()
  await lesson.getByText('Tea costs 3, coffee 4.').waitFor()
  await page.getByText('0 of 4').waitFor()
  const tea = await page.evaluate(async () => {
    const headers = { authorization: 'Bearer admin-token' }
    const response = await fetch('~lesson-lost-update/api/v1/namespaces/shop/configmaps/prices', {
      headers,
    })
    return ((await response.json()) as { data: { tea: string } }).data.tea
  })
  expect(tea).toBe('2')
})

it.each([
  { width: 820, height: 1180, theme: 'dark' },
  { width: 360, height: 740, theme: 'light' },
] as const)('is readable at $width, $theme', async ({ width, height, theme }) => {
  const { page, screenshot } = await open({
    width,
    height,
    theme,
    at: '?workspace=lesson-undeletable',
  })
  await page.getByRole('heading', { name: /Delete it/ }).waitFor()
  await page.getByText('ledger is terminating').waitFor()
  await screenshot(`lesson ${width} ${theme}`)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
})
