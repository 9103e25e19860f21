// Runs before the first paint (a plain script in <head>): marks that scripts run and applies the remembered theme.
(function () {
  const root = document.documentElement;
  root.classList.add("js");
  try {
    const theme = localStorage.getItem("tokboard.theme");
    if (theme && theme !== "auto") root.dataset.theme = theme;
  } catch {
    // Storage may be forbidden: the system's theme holds.
  }
})();
