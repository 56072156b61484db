/* The order of search results: guides first, tables of numbers and of history, which name everything, last. */
var Scorer = {
  score: function (result) {
    var [page, title, anchor, description, score] = result;
    var guides = /^(actuators|batches|callbacks|constraints|deformables|derivatives|envs|forces_and_jacobians|gpu|guides\/|integrators|rendering|sensors|spec|start\/first|urdf|viewer)/;
    var late = /^(conformance|corpus|criteria|engineering\/(changelog|agreement)|fields|from_mujoco|gallery|glossary|mujoco|reference\/python|start\/tour)/;
    return score + (guides.test(page) ? 12 : 0) - (late.test(page) ? 20 : 0);
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
