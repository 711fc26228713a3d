/** Every incident begins broken, stays broken, and is solved by its shortest way, for every seed. */

import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { problemsOfIncident } from '../../scripts/incident-rehearsal'
import { INCIDENT_CATALOG } from '../../scripts/lesson-files'
import type { JsonObject } from '../../src/engine/core/object'
import { type Incident, incidentOf, MOST_SEED, readIncident } from '../../src/lessons/incident'
import { INCIDENTS } from '../../src/lessons/incidents'
import { LessonError } from '../../src/lessons/reading'
import { readIncidentText } from '../../src/lessons/text'
import { jsonObject } from '../support/json-objects'

const SEEDS = [1, 2, 3]

describe.each(INCIDENTS.map((incident) => [incident.id, incident] as const))(
  '%s',
  (_, incident) => {
    it.each(SEEDS)(
      'is not solved by waiting, and is by its shortest way: seed %i',
      async (seed) => {
        expect(await problemsOfIncident(incident, seed)).toEqual([])
      },
    )

    it('differs by its seed, and is the same for the same one', () => {
      const starts = Array.from(
        { length: 12 },
        (_, seed) => incidentOf(incident, seed).start.objects,
      )
      expect(new Set(starts).size).toBeGreaterThan(3)
      expect(incidentOf(incident, 7)).toEqual(incidentOf(incident, 7))
    })

    it('has a workspace name for every seed, and three different hints', () => {
      expect(`incident-${incident.id}-${MOST_SEED}`.length).toBeLessThanOrEqual(40)
      expect(new Set(incident.hints).size).toBe(3)
    })
  },
)

describe('the catalog', () => {
  it('lists every file, and each file is named after its incident', () => {
    const files = readdirSync(INCIDENT_CATALOG).filter((file) => file.endsWith('.yaml'))
    const incidents = INCIDENTS.map(({ id }) => `${id}.yaml`)
    expect(files.sort()).toEqual([...incidents, 'index.yaml'].sort())
  })
})

describe('the file of an incident', () => {
  const [first] = INCIDENTS as readonly [Incident, ...Incident[]]
  const changed = (change: JsonObject) => readIncident({ ...jsonObject(first), ...change })

  it('is read as it was written', () => {
    expect(changed({})).toEqual(first)
  })

  it('reports a mark that nothing draws', () => {
    expect(() => changed({ story: `In \${nowhere}.` })).toThrow(`story: nothing draws \${nowhere}`)
  })

  it('may check the state only, by requests that store nothing', () => {
    const checks = (check: JsonObject) => () =>
      changed({ solved: { hold: 0, checks: [{ says: 'x', ...check }] } })
    expect(checks({ kind: 'request', is: { verb: 'get' } })).toThrow(/checks the state/)
    const probe = { kind: 'response', is: { code: 201 }, method: 'POST' }
    expect(checks({ ...probe, path: '/api/v1/namespaces/a/pods' })).toThrow(/stores nothing/)
    expect(checks({ ...probe, path: '/api/v1/namespaces/a/pods?dryRun=All' })).not.toThrow()
    expect(checks({ ...probe, method: 'DELETE', path: '/api/v1/nodes/tokenreviews' })).toThrow(
      LessonError,
    )
  })

  it('reports an error with its line', () => {
    const { content, problems } = readIncidentText('id: x\ntitle: y\nunknown: 1\n')
    expect(content).toBeUndefined()
    expect(problems.map(({ line }) => line)).toContain(3)
  })

  it('whose incident solves itself, or is not solved, is found', async () => {
    const solved = { hold: 0, checks: [{ kind: 'absent', path: '/api/v1/nodes/x', says: 'x' }] }
    expect(await problemsOfIncident(changed({ solved }), 1)).toEqual(['waiting solves it'])
    const idle = changed({ shortest: ['kubectl get pods -A'] })
    expect(await problemsOfIncident(idle, 1)).toEqual([
      expect.stringContaining('its shortest way does not reach'),
    ])
  })
})
