// English words too common to tell passages apart. They are neither indexed nor searched where there are others beside them.

/** Lower case and without apostrophes, as `tokensOf` gives them. */
export const stopWords: ReadonlySet<string> = new Set(
  (
    "a about after all also am an and any are as at be been before being but by can cant could couldnt did didnt do does " +
    "doesnt doing dont for from get got had has hasnt have havent having he her here hers him his how i id if ill im in " +
    "into is isnt it its ive just let lets me my no nor not of on or our out over she should so some such than that thats " +
    "the their them then there theres these they theyre theyve this those to too up us was wasnt we were werent weve what " +
    "whats when where which while who whom why will with wont would wouldnt you your youre youve"
  ).split(" "),
);
