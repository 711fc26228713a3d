import { expect, it } from 'vitest'
import { CONTROLLERS } from '../../src/engine/controllers'
import { CONTROLLER_NAMES } from '../../src/engine/controllers/names'

it('lists the names of all controllers in order', () => {
  expect(CONTROLLER_NAMES).toEqual(CONTROLLERS.map(({ name }) => name))
})
