/** The order of test files: a long file that begins last would leave the other worker idle. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The slowest stories, slowest first. Vitest records the durations of the others where it has run
 * them before.
 */
const LONG = [
  'typing',
  'ownership',
  'definitions',
  'host',
  'handlers',
  'sharing',
  'accessibility',
  'causes',
  'offline',
  'isolation',
  'solutions',
  'access',
  'releases',
  'incidents',
  'sharing-files',
  'stored',
]

const placeOf = ({ project, moduleId }: TestSpecification): number => {
  const place =
    project.name === 'stories'
      ? LONG.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
      : -1
  return place === -1 ? LONG.length : place
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    // Stable: files keep their order otherwise, and projects stay together.
    const order = (one: TestSpecification) => one.project.config.sequence.groupOrder
    return sorted.sort((one, other) => order(one) - order(other) || placeOf(one) - placeOf(other))
  }
}
