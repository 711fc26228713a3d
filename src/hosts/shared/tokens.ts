/** The page's users as a token file (`token,user,uid,"groups"`). */
export const PAGE_TOKENS = `admin-token,admin,u-admin,"system:masters"
alice-token,alice,u-alice,"developers"
bob-token,bob,u-bob,"developers,testers"
carol-token,carol,u-carol,""
`
