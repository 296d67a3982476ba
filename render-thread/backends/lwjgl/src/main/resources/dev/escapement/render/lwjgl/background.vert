out float height;

// One triangle that covers the picture, at the far end of the depth range.
void main() {
    vec2 at = vec2((gl_VertexID & 1) * 4 - 1, (gl_VertexID & 2) * 2 - 1);
    height = at.y * 0.5 + 0.5;
    gl_Position = vec4(at, 1.0, 1.0);
}
