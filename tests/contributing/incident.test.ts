/** The incident of CONTRIBUTING.md passes the check that its steps run. */
import { expect, it } from 'vitest'
import { problemsOfIncident } from '../../scripts/incident-rehearsal'
import { readIncidentText } from '../../src/lessons/text'
import { blocksOf, sourceOf } from './steps'

it.each([1, 2, 3])(
  'the incident stays broken, and its shortest way solves it: seed %i',
  async (seed) => {
    const [text = ''] = blocksOf('Add an incident')
    const { content, problems } = readIncidentText(text)
    expect(problems).toEqual([])
    expect(content?.id).toBe('lost-label')
    if (content !== undefined) expect(await problemsOfIncident(content, seed)).toEqual([])
  },
)

it('the list of incidents has lines like the one that the steps add', () => {
  expect(sourceOf('src/lessons/incidents/index.yaml')).toMatch(/^- [a-z-]+$/m)
})
