/** The lesson of CONTRIBUTING.md passes the check that its steps run. */
import { expect, it } from 'vitest'
import { DEFAULT_RELEASE } from '../../src/engine/releases/release'
import { problemsOf } from '../../src/hosts/shared/lesson-rehearsal'
import { readLessonText } from '../../src/lessons/text'
import { blocksOf, sourceOf } from './steps'

it('the lesson can be read, and both of its solutions end as they should', async () => {
  const [text = ''] = blocksOf('Add a lesson')
  const { lesson, problems } = readLessonText(text)
  expect(problems).toEqual([])
  expect(lesson?.id).toBe('label-a-pod')
  if (lesson !== undefined)
    expect(await problemsOf(lesson, setImmediate, DEFAULT_RELEASE)).toEqual([])
})

it('the list of lessons has lines like the one that the steps add', () => {
  expect(sourceOf('src/lessons/catalog/index.yaml')).toMatch(/^ +- [a-z-]+$/m)
})
