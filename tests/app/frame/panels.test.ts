/** The panels of the workbench: which are shown, and in which order. */
import { describe, expect, it } from 'vitest'
import { mediumPanels, widePanels } from '../../../src/app/frame/panels'

const FIRST = { hidden: [], objectFirst: false }

describe('three columns', () => {
  it('show all panels, the editor before the object', () => {
    expect(widePanels(FIRST)).toEqual({
      explorer: true,
      upper: ['editor', 'object'],
      activity: true,
    })
  })

  it('leave out hidden panels and swap the upper ones', () => {
    expect(widePanels({ hidden: ['explorer', 'editor'], objectFirst: true })).toEqual({
      explorer: false,
      upper: ['object'],
      activity: true,
    })
    expect(widePanels({ ...FIRST, objectFirst: true }).upper).toEqual(['object', 'editor'])
  })
})

describe('two columns', () => {
  it('show the explorer and the object at the left', () => {
    expect(mediumPanels(FIRST)).toEqual({
      left: ['explorer', 'object'],
      right: ['editor', 'activity'],
    })
  })

  it('leave out hidden panels and swap the left ones', () => {
    expect(mediumPanels({ hidden: ['activity'], objectFirst: true })).toEqual({
      left: ['object', 'explorer'],
      right: ['editor'],
    })
  })
})
