/** Users of the page: the token file of its engine (`token,user,uid,"groups"`). */
export const PAGE_TOKENS = `admin-token,admin,u-admin,"system:masters"
alice-token,alice,u-alice,"developers"
bob-token,bob,u-bob,"developers,testers"
carol-token,carol,u-carol,""
`
