/* The order of search results: guides before tables of numbers and of history, which name everything. */
var Scorer = {
  score: function (result) {
    var [page, title, anchor, description, score] = result;
    var late = /^(conformance|corpus|criteria|engineering\/(changelog|agreement)|from_mujoco|mujoco|glossary|fields|reference\/python)/;
    return late.test(page) ? score - 20 : score;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
