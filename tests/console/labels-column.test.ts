import { expect, it } from 'vitest'
import { labelText } from '../../src/console/output/table'

it('sorts labels together with their values', () => {
  expect(labelText({ app: 'web', 'app-part': 'x' })).toBe('app-part=x,app=web')
  expect(labelText({})).toBe('<none>')
})
