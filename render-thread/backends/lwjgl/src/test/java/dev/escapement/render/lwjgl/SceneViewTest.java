package dev.escapement.render.lwjgl;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SceneViewTest {

    @Test
    void shouldRefuseWhatCannotBeDrawn() {
        assertThatThrownBy(() -> new SceneView(0, 1, 1, 0)).hasMessageContaining("floorHalfExtent");
        assertThatThrownBy(() -> new SceneView(1, Float.NaN, 1, 0)).hasMessageContaining("boxHalfExtent");
        assertThatThrownBy(() -> new SceneView(1, 1, Float.POSITIVE_INFINITY, 0))
                .hasMessageContaining("pileHeight");
        assertThatThrownBy(() -> new SceneView(1, 1, 1, -1)).hasMessageContaining("-1 markers");
    }
}
