"""Libraries of others on our environments. A test skips where the library is not installed."""

from __future__ import annotations

from typing import Any

import gymnasium
import maxout
import pytest


def test_gymnasiums_own_vectors_and_wrappers_take_the_games() -> None:
    games: Any = gymnasium.make_vec("maxout/NesTetris-v0", num_envs=2, vectorization_mode="sync")
    seen, info = games.reset(seed=0)
    assert seen["board"].shape == (2, 20, 10) and info["action_mask"].shape == (2, 800)
    games.step(games.action_space.sample())
    many: Any = gymnasium.wrappers.vector.RecordEpisodeStatistics(maxout.vector.NesTetris(3, stop="pieces:4"))
    many.reset(seed=0)
    for _ in range(4):
        *_, info = many.step(many.unwrapped.sample_actions())
    assert list(info["episode"]["l"]) == [4, 4, 4]
    flat: Any = gymnasium.wrappers.FlattenObservation(maxout.NesTetris())
    assert flat.reset(seed=0)[0].shape == (216,)


def test_an_action_is_sampled_within_the_mask() -> None:
    env: Any = gymnasium.make("maxout/NesTetris-v0")
    _, info = env.reset(seed=3)
    for _ in range(50):
        _, _, over, _, info = env.step(env.action_space.sample(info["action_mask"]))
        assert over or info["action_mask"].any()
        if over:
            break


def test_stable_baselines_learns_from_masked_games() -> None:
    contrib = pytest.importorskip("sb3_contrib")
    env = maxout.NesTetris(start_level=18, reward="lines", illegal="raise")
    model = contrib.MaskablePPO("MultiInputPolicy", env, n_steps=64, batch_size=32, n_epochs=1, seed=0)
    model.learn(128)
    seen, info = env.reset(seed=0)
    action, _ = model.predict(seen, action_masks=info["action_mask"].astype(bool))
    env.step(int(action))


def test_stable_baselines_checks_and_stacks_the_games() -> None:
    baselines = pytest.importorskip("stable_baselines3")
    from stable_baselines3.common.env_checker import check_env  # type: ignore[import-not-found, unused-ignore]

    check_env(maxout.NesTetris())
    model = baselines.DQN("MultiInputPolicy", maxout.NesTetrisFrames(frame_skip=4), learning_starts=32)
    model.learn(64)


def test_torch_reads_every_buffer_without_a_copy() -> None:
    torch = pytest.importorskip("torch")
    games = maxout.vector.NesTetris(8, start_level=18)
    seen, info = games.reset(seed=0)
    arrays = {**seen, "mask": info["action_mask"], "points": info["points"]}
    tensors = {name: torch.from_numpy(array) for name, array in arrays.items()}
    before = tensors["board"].clone()
    for _ in range(30):
        seen, *_, info = games.step(games.sample_actions())
    assert (tensors["board"] != before).any(), "the steps are seen in the tensors"
    for name, array in {**seen, "mask": info["action_mask"], "points": info["points"]}.items():
        assert tensors[name].data_ptr() == array.ctypes.data, name
        assert (tensors[name].numpy() == array).all() and tensors[name].is_contiguous(), name


def test_pufferlib_wraps_the_games() -> None:
    emulation: Any = pytest.importorskip("pufferlib.emulation")
    env = emulation.GymnasiumPufferEnv(env_creator=maxout.NesTetris)
    env.reset(seed=0)
    env.step(env.action_space.sample())
