package dev.escapement.physics.sdl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lwjgl.sdl.SDLGamepad.SDL_GAMEPAD_AXIS_LEFTX;
import static org.lwjgl.sdl.SDLGamepad.SDL_GAMEPAD_AXIS_LEFT_TRIGGER;
import static org.lwjgl.sdl.SDLGamepad.SDL_GAMEPAD_BUTTON_SOUTH;

import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSampler;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GamepadLevelsTest {

    private static final int FIRST = 41;
    private static final int SECOND = 42;

    private final InputRing ring = new InputRing(64, () -> 1_000);
    private final InputSampler sampler = new InputSampler(ring);
    private final GamepadLevels levels = new GamepadLevels();

    @Test
    void shouldGiveTheLowestOfSixteenPlaces() {
        for (int device = 1; device <= 16; device++) {
            assertThat(levels.add(device, "pad " + device)).isTrue();
        }
        assertThat(levels.add(17, "pad " + 17)).isFalse();
        assertThat(levels.remove(ring, 0, 17)).as("it has none").isFalse();
        assertThat(levels.remove(ring, 0, 2)).isTrue();
        assertThat(levels.add(18, "pad " + 18)).isTrue();
        levels.button(ring, 1, 17, 0, true);
        levels.button(ring, 2, 18, 3, true);
        levels.button(ring, 3, 16, 31, true);
        levels.axis(ring, 4, 16, 5, Short.MAX_VALUE);
        levels.button(ring, 5, 16, 32, true); // a button without a code
        levels.axis(ring, 5, 16, 16, Short.MAX_VALUE);
        assertThat(taken())
                .containsExactly("BUTTON_DOWN 35 0.0 at 2", "BUTTON_DOWN 511 0.0 at 3", "AXIS_MOVED 245 1.0 at 4");
    }

    @Test
    void shouldReachTheEndsAndReportNothingTwice() {
        levels.add(FIRST, "pad " + FIRST);
        levels.axis(ring, 0, FIRST, SDL_GAMEPAD_AXIS_LEFTX, (short) 0);
        levels.button(ring, 0, FIRST, SDL_GAMEPAD_BUTTON_SOUTH, false);
        levels.axis(ring, 1, FIRST, SDL_GAMEPAD_AXIS_LEFTX, Short.MIN_VALUE);
        levels.axis(ring, 2, FIRST, SDL_GAMEPAD_AXIS_LEFTX, Short.MAX_VALUE);
        levels.axis(ring, 3, FIRST, SDL_GAMEPAD_AXIS_LEFTX, Short.MAX_VALUE);
        levels.axis(ring, 3, FIRST, SDL_GAMEPAD_AXIS_LEFTX, (short) 0);
        levels.axis(ring, 4, FIRST, SDL_GAMEPAD_AXIS_LEFT_TRIGGER, Short.MAX_VALUE);
        levels.axis(ring, 5, FIRST, SDL_GAMEPAD_AXIS_LEFT_TRIGGER, (short) -5);
        assertThat(taken())
                .containsExactly(
                        "AXIS_MOVED 0 -1.0 at 1",
                        "AXIS_MOVED 0 1.0 at 2",
                        "AXIS_MOVED 0 0.0 at 3",
                        "AXIS_MOVED 4 1.0 at 4",
                        "AXIS_MOVED 4 0.0 at 5");
    }

    @Test
    void shouldLetGoOfWhatAControllerHeldThatGoes() {
        levels.add(FIRST, "pad " + FIRST);
        levels.add(SECOND, "pad " + SECOND);
        levels.button(ring, 1, SECOND, 3, true);
        levels.button(ring, 1, SECOND, 25, true);
        levels.axis(ring, 1, SECOND, 1, Short.MAX_VALUE);
        taken();
        levels.remove(ring, 9, SECOND);
        assertThat(taken()).containsExactly("BUTTON_UP 35 0.0 at 9", "BUTTON_UP 57 0.0 at 9", "AXIS_MOVED 17 0.0 at 9");
        levels.button(ring, 10, SECOND, 3, true);
        assertThat(taken()).isEmpty();
    }

    @Test
    void shouldReportRefusedLevelsOnceTheRingHasRoom() {
        InputRing small = new InputRing(2, () -> 1_000);
        InputSampler reader = new InputSampler(small);
        levels.add(FIRST, "pad " + FIRST);
        levels.button(small, 1, FIRST, 0, true);
        levels.axis(small, 1, FIRST, 1, Short.MAX_VALUE);
        levels.button(small, 2, FIRST, 0, false);
        levels.button(small, 2, FIRST, 3, true);
        levels.button(small, 2, FIRST, 4, true);
        levels.button(small, 2, FIRST, 4, false);
        levels.catchUp(small, 3); // the ring is still full
        assertThat(taken(reader)).containsExactly("BUTTON_DOWN 0 0.0 at 1", "AXIS_MOVED 1 1.0 at 1");
        levels.catchUp(small, 4);
        assertThat(taken(reader)).containsExactly("BUTTON_UP 0 0.0 at 4", "BUTTON_DOWN 3 0.0 at 4");
        levels.catchUp(small, 5);
        assertThat(taken(reader)).isEmpty();
    }

    @Test
    void shouldReleaseAnUnpluggedControllerWithAFullRing() {
        InputRing small = new InputRing(1, () -> 1_000);
        InputSampler reader = new InputSampler(small);
        levels.add(FIRST, "pad " + FIRST);
        levels.button(small, 1, FIRST, 0, true);
        levels.remove(small, 2, FIRST);
        levels.add(SECOND, "pad " + FIRST); // gets the place of the first one
        taken(reader);
        levels.catchUp(small, 3);
        assertThat(taken(reader)).containsExactly("BUTTON_UP 0 0.0 at 3");
        levels.button(small, 4, SECOND, 0, true);
        assertThat(taken(reader)).containsExactly("BUTTON_DOWN 0 0.0 at 4");
    }

    private List<String> taken() {
        return taken(sampler);
    }

    private static List<String> taken(InputSampler sampler) {
        InputFrame frame = sampler.sample(0, 1_000);
        List<String> reported = new ArrayList<>();
        for (int i = 0; i < frame.size(); i++) {
            InputEvent event = frame.event(i);
            reported.add(event.kind() + " " + event.code() + " " + event.x() + " at " + event.timeNanos());
        }
        return reported;
    }
}
