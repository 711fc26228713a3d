/** No view has a mistake that axe-core can find: on a desktop and on a phone, in both themes. */
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { storyBrowser } from './harness'
import { runSample, VIEWS, type View } from './views'

const { open } = storyBrowser()

/** Rules whose result depends on the theme; all others run once. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']
/** The editor's own inside: its lines are hidden from screen readers, which read its text area instead. */
const NOT_OURS = ['.monaco-editor']

/** @param region the element to check; the frame around it is checked with the full-page views */
async function problems(
  page: Page,
  region: string | undefined,
  rules?: readonly string[],
): Promise<string[]> {
  const found = await page.evaluate(
    async ({ exclude, include, values }) => {
      const { axe: inPage } = window as unknown as { axe: typeof axe }
      const context = {
        exclude: exclude.map((selector) => [selector]),
        ...(include === undefined ? {} : { include: [[include]] }),
      }
      const { violations } = await inPage.run(context, {
        resultTypes: ['violations'],
        // Content hidden from screen readers (shortcuts, initials) does not count as part of the
        // accessible name.
        rules: { 'label-content-name-mismatch': { enabled: false } },
        runOnly: values
          ? { type: 'rule', values }
          : {
              type: 'tag',
              values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
            },
      })
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(
          ({ html, failureSummary }) =>
            `${id}: ${html.slice(0, 160)} ${failureSummary?.split('\n')[1] ?? ''}`,
        ),
      )
    },
    { exclude: NOT_OURS, include: region, values: rules && [...rules] },
  )
  return found
}

const isDialog = ({ name }: View): boolean => name.startsWith('dialog')
const WIDE = { width: 1440, height: 900 }
const RUNS = [
  { what: 'any dialog', ...WIDE, views: VIEWS.filter(isDialog), tags: [] },
  {
    what: 'any other view',
    ...WIDE,
    views: VIEWS.filter((view) => !isDialog(view)),
    tags: ['extended'],
  },
  // A dialog is the same on a phone.
  {
    what: 'any other view',
    width: 360,
    height: 740,
    views: VIEWS.filter((view) => !isDialog(view)),
    tags: [],
  },
]

for (const { what, width, height, views, tags } of RUNS) {
  it(`finds nothing in ${what}, ${width} pixels wide`, { tags, timeout: 300_000 }, async () => {
    const { page } = await open({ width, height, reducedMotion: true })
    await page.locator('.monaco-editor').waitFor()
    await page.addStyleTag({ content: `${NOT_OURS.join()} { visibility: hidden }` })
    await page.evaluate(axe.source)
    const found: string[] = []
    const look = async (name: string, region?: string) => {
      await page.waitForTimeout(50)
      for (const problem of await problems(page, region)) found.push(`${name}: ${problem}`)
      await page.emulateMedia({ colorScheme: 'dark' })
      for (const problem of await problems(page, region, COLOR_RULES))
        found.push(`${name}, dark: ${problem}`)
      await page.emulateMedia({ colorScheme: 'light' })
    }
    await look('welcome')
    await runSample(page)
    for (const { name, show, region } of views) {
      await show(page)
      await look(name, region)
    }
    expect(found).toEqual([])
  })
}
