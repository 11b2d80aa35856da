// Runs before anything is painted: an address that names a view shows its frame at once, and not the doors first.
if (location.hash.length > 1) document.documentElement.dataset.view = "";
