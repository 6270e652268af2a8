// English words too common to tell records apart; ignored in a query that has others.

/** Lower case, as `wordsOf` gives them. */
export const stopWords: ReadonlySet<string> = new Set(
  (
    "a about after all also an and any are as at be been before but by can could did do does for from get got had has " +
    "have how i if in into is it its just me my no not of on or our out over she should so some than that the their " +
    "them then there these they this to up us was we were what when where which who why will with would you your"
  ).split(" "),
);
