package dev.escapement.render.lwjgl;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SceneViewTest {

    @Test
    void shouldRefuseWhatCannotBeDrawn() {
        assertThatThrownBy(() -> new SceneView(0, 1, 1)).hasMessageContaining("floorHalfExtent");
        assertThatThrownBy(() -> new SceneView(1, Float.NaN, 1)).hasMessageContaining("boxHalfExtent");
        assertThatThrownBy(() -> new SceneView(1, 1, Float.POSITIVE_INFINITY)).hasMessageContaining("pileHeight");
    }
}
