/** Every lesson in the page itself: its wrong way, played from the beginning, does not finish it; its solution does. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { LESSONS } from '../src/lessons/catalog'
import { type Story, storyBrowser } from './harness'

const { open } = storyBrowser()

/** So many windows play side by side: while one waits for its controllers another sends. Tabs behind another are drawn once a second. */
const WINDOWS = 2

/** Nothing here asserts a time: later than this something hangs. */
const HANGS = 600_000

async function play(
  page: Page,
  title: 'Play the wrong solution' | 'Play the solution',
): Promise<number> {
  const lesson = page.getByRole('complementary')
  await lesson.getByRole('button', { name: title }).click()
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  const way = title === 'Play the solution' ? 'The solution' : 'The wrong solution'
  const result = lesson.getByText(new RegExp(`^${way} completed`))
  await result.or(lesson.getByRole('alert')).waitFor()
  const text = (await result.or(lesson.getByRole('alert')).textContent()) ?? ''
  const [, done] = /completed (\d+) of \d+ steps/.exec(text) ?? []
  if (done === undefined) throw new Error(text)
  return Number(done)
}

async function playBoth(
  { page, url }: Pick<Story, 'page' | 'url'>,
  id: string,
): Promise<{ wrong: number; solution: number }> {
  await page.goto(`${url}?workspace=lesson-${id}`)
  // While it is prepared what is below moves.
  const lesson = page.getByRole('complementary')
  const choice = lesson.locator('.predict-choice:enabled')
  await lesson.getByText('(pending)').or(choice).first().waitFor()
  await page.getByText('For instructors').click()
  return {
    wrong: await play(page, 'Play the wrong solution'),
    solution: await play(page, 'Play the solution'),
  }
}

async function playAll(lessons: typeof LESSONS): Promise<void> {
  const waiting = [...lessons]
  const played: Record<string, { wrong: number; solution: number }> = {}
  const failed: string[] = []
  await Promise.all(
    Array.from({ length: WINDOWS }, async () => {
      const story = await open({ width: 1280, height: 900 })
      story.context.setDefaultTimeout(HANGS / 4)
      // The selected view is stored for all workspaces, and this story does not need the editor.
      await story.page.getByRole('button', { name: 'Lessons', exact: true }).click()
      await story.page.getByRole('heading', { name: 'Lessons' }).waitFor()
      for (let lesson = waiting.shift(); lesson; lesson = waiting.shift()) {
        const { id } = lesson
        await playBoth(story, id).then(
          (result) => {
            played[id] = result
          },
          (error: unknown) =>
            failed.push(`${id}: ${error instanceof Error ? error.message : String(error)}`),
        )
      }
    }),
  )
  expect(failed).toEqual([])
  for (const { id, steps } of lessons) {
    expect(played[id]?.solution, `the solution of ${id}`).toBe(steps.length)
    expect(played[id]?.wrong, `the wrong way of ${id}`).toBeLessThan(steps.length)
  }
}

/** Every sixth lesson; the unit tests play all of them without a page. */
const SOME = LESSONS.filter((_lesson, index) => index % 6 === 0)

it('plays both ways of some lessons', { timeout: HANGS }, () => playAll(SOME))

it('plays both ways of the other lessons', { tags: ['extended'], timeout: HANGS }, () =>
  playAll(LESSONS.filter((lesson) => !SOME.includes(lesson))),
)
